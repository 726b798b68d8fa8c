import { Query, type PoolClient, type QueryConfig, type QueryResultRow } from 'pg';

/**
 * The rows of a statement in their order, in pages that end with the row that brings what was received of them to so many
 * bytes. One page is received while another is worked on, and then the server waits: so no more is in memory than two
 * pages, what a socket gives at once (64 KiB) and the row that ends each, however many rows there are.
 * @param client nobody else's, and of no use behind the reading: it has ended if that ended early
 * @throws what the server or the connection failed with
 */
export async function* rowsByBytes<Row extends QueryResultRow>(
  client: PoolClient,
  statement: QueryConfig,
  pageBytes: number,
): AsyncGenerator<readonly Row[]> {
  const { stream: socket } = client.connection;
  const pages: Row[][] = [];
  let page: Row[] = [];
  let received = 0;
  let end: { readonly failure?: Error } | undefined;
  let wake = () => undefined as void;

  socket.prependListener('data', ({ length }: Buffer) => (received += length)); // before its rows are told of
  const query = new Query<Row>(statement);
  query.on('row', (row) => {
    page.push(row);
    if (received < pageBytes) return;
    pages.push(page);
    [page, received] = [[], 0];
    socket.pause();
    wake();
  });
  query.on('end', () => {
    if (page.length > 0) pages.push(page);
    end ??= {};
    wake();
  });
  query.on('error', (failure) => {
    end ??= { failure };
    wake();
  });
  client.query(query);

  try {
    for (;;) {
      const next = pages.shift();
      if (next) {
        if (pages.length === 0) socket.resume();
        yield next;
      } else if (!end) await new Promise<void>((resolve) => (wake = resolve));
      else if (end.failure) throw end.failure;
      else return;
    }
  } finally {
    if (!end) socket.destroy(); // a client that is asked to end waits for the rest of the answer
  }
}
