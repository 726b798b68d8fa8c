import { ToldError } from '@paywright/platform/told-error';

/** A program that the local runtime needs is not on the PATH, or too old. */
export class MissingProgram extends ToldError {
  override readonly name = 'MissingProgram';

  /**
   * @param what name and version, such as "Java 17 or newer"
   * @param command what was looked for
   */
  constructor(what: string, command: string) {
    super(
      [
        `Apache Kafka needs ${what}, and \`${command}\` is not on the PATH or too old. Three ways out:`,
        `  1. install it: on Debian \`apt install openjdk-17-jre-headless maven\`, on macOS \`brew install openjdk maven\``,
        `  2. run everything in containers: \`docker compose up\``,
        `  3. use a Kafka that you have: \`KAFKA_BROKERS=host:9092 npm start\``,
      ].join('\n'),
    );
  }
}
