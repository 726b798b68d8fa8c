import { codeOf, ConfigurationError, isMistrust } from '@paywright/platform';

/** SQLSTATEs of who is not let in: authentication (28), a database that is not there, a right that lacks. */
const refused = /^(28[0-9A-Z]{3}|3D000|42501)$/;
/** What pg says, without a code, where the address asks for TLS. By its exact text. */
const plainServer = 'The server does not support SSL connections';

/** What about the address of the database is to be mended, since waiting does not; null of any other error. */
export function addressRefusal(error: unknown): ConfigurationError | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  const isFile = 'syscall' in error && error.syscall === 'open'; // of sslrootcert, sslcert or sslkey
  if (isFile) return fault(`names a file that cannot be read: ${error.message}`);
  if (isMistrust(code)) return fault(`leads to a server whose certificate is not trusted: ${error.message} (${code})`);
  if (error.message === plainServer) return fault('asks for TLS (sslmode), which the server does not speak');
  if (refused.test(code)) return fault(`is refused by the server: ${error.message} (${code})`);
  return null;
}

const fault = (problem: string) => new ConfigurationError([{ variable: 'DATABASE_URL', problem }]);
