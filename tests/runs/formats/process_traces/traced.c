// Every process sends to the next one three times, then once to the one before; process 0 also sends to process 2.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size, one = 1, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  double *from = calloc(5000, sizeof(double)), *to = calloc(5000, sizeof(double));
  MPI_Request requests[2];
  MPI_Bcast(&one, 1, MPI_INT, 1, MPI_COMM_WORLD);
  for (int i = 0; i < 3; i++) {
    MPI_Irecv(to, 5000, MPI_DOUBLE, before, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(from, 100 * (rank + 1), MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) MPI_Send(from, 10, MPI_INT, 2, 1, MPI_COMM_WORLD);
  if (rank == 2) MPI_Recv(to, 10, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv(to, 100, MPI_CHAR, next, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Send(from, 100, MPI_CHAR, before, 3, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Alltoall(from, 4, MPI_DOUBLE, to, 4, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Allgather(from, 2, MPI_DOUBLE, to, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Gather(from, 3, MPI_INT, to, 3, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Scatter(from, 5, MPI_INT, to, 5, MPI_INT, 1, MPI_COMM_WORLD);
  int sent[5], received[5], parts[] = {1, 2, 3, 4, 5}, start[5] = {0};
  for (int i = 0; i < size; i++) {
    sent[i] = rank + 2 * i;
    received[i] = i + 2 * rank;
  }
  MPI_Alltoallv(from, sent, start, MPI_INT, to, received, start, MPI_INT, MPI_COMM_WORLD);
  MPI_Reduce_scatter(from, to, parts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 1; i < size; i++) start[i] = start[i - 1] + parts[i - 1];
  MPI_Gatherv(from, rank + 1, MPI_INT, to, parts, start, MPI_INT, 3, MPI_COMM_WORLD);
  MPI_Scatterv(from, parts, start, MPI_INT, to, rank + 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Allgatherv(from, rank + 1, MPI_INT, to, parts, start, MPI_INT, MPI_COMM_WORLD);
  MPI_Scan(from, to, 6, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(from, to, 7, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 4) {
    MPI_Irecv(to, 9, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Test(&requests[0], &sum, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  if (rank == 0) MPI_Send(from, 9, MPI_CHAR, 4, 2, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
