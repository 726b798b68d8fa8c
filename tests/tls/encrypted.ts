import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, loopback } from '@paywright/deploy/local/free-ports.ts';
import type { KafkaListener } from '@paywright/deploy/local/kafka.ts';
import type { KafkaAddress } from '@paywright/platform';
import type { Service, Surroundings } from '../stack/stack.ts';
import { Authority, type Certified } from './authority.ts';

export const password = 'a-password-of-the-tls-suite';

/** A broker and a database that speak TLS under an authority of their own, and what their clients need. */
export class Encrypted {
  readonly #folder = mkdtempSync(join(tmpdir(), 'paywright-tls-'));
  readonly authority: Authority;
  readonly client: Certified;
  readonly server: Certified;
  readonly #ports: { readonly named: number; readonly certified: number };

  private constructor(
    authority: Authority,
    client: Certified,
    server: Certified,
    [named, certified]: readonly number[],
  ) {
    this.authority = authority;
    this.client = client;
    this.server = server;
    this.#ports = { named: named ?? 0, certified: certified ?? 0 };
    chmodSync(this.#folder, 0o755);
    writeFileSync(this.authorityFile, authority.certificate);
    writeFileSync(this.#serverFile, server.key + '\n' + server.certificate);
  }

  static async make(): Promise<Encrypted> {
    const authority = await Authority.make('Paywright test authority');
    const certified = [authority.certify('a service'), authority.certify('a server', [loopback])] as const;
    return new Encrypted(authority, ...(await Promise.all(certified)), await freePorts(2));
  }

  get authorityFile(): string {
    return join(this.#folder, 'authority.pem');
  }

  get #serverFile(): string {
    return join(this.#folder, 'server.pem');
  }

  /** For a stack that has these servers, and whose services use them. */
  get surroundings(): Partial<Surroundings> {
    return {
      kafkaListenersOf: () => this.listeners,
      kafkaUsers: { paywright: password },
      postgresTls: this.server,
      environmentOf: (service, databaseUrl) => this.environmentOf(service, databaseUrl),
    };
  }

  /** One for those with a name and a password, one for those with a certificate. */
  get listeners(): readonly KafkaListener[] {
    const { named, certified } = this.#ports;
    const keys = { 'ssl.keystore.type': 'PEM', 'ssl.keystore.location': this.#serverFile };
    const authority = { 'ssl.truststore.type': 'PEM', 'ssl.truststore.location': this.authorityFile };
    const logins = 'org.apache.kafka.common.security';
    const passwords = {
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512',
      'plain.sasl.jaas.config': `${logins}.plain.PlainLoginModule required user_paywright="${password}";`,
      'scram-sha-512.sasl.jaas.config': `${logins}.scram.ScramLoginModule required;`,
    };
    return [
      { name: 'NAMED', protocol: 'SASL_SSL', port: named, advertisedPort: named, settings: { ...keys, ...passwords } },
      {
        ...{ name: 'CERTIFIED', protocol: 'SSL', port: certified, advertisedPort: certified },
        settings: { ...keys, ...authority, 'ssl.client.auth': 'required' },
      },
    ];
  }

  get named(): KafkaAddress {
    const sasl = { mechanism: 'plain', username: 'paywright', password } as const;
    return { brokers: [`${loopback}:${this.#ports.named}`], ssl: { ca: this.authority.certificate }, sasl };
  }

  get certified(): KafkaAddress {
    const { certificate: cert, key } = this.client;
    const ssl = { ca: this.authority.certificate, cert, key };
    return { brokers: [`${loopback}:${this.#ports.certified}`], ssl, sasl: null };
  }

  /** Each of the three ways to prove one's name is some services'. */
  environmentOf(service: Service, databaseUrl: string): NodeJS.ProcessEnv {
    const { brokers, ssl } = service === 'gateway' || service === 'selection' ? this.named : this.certified;
    const { ca, cert, key } = typeof ssl === 'object' ? ssl : {};
    const mechanism = service === 'gateway' ? 'plain' : service === 'selection' ? 'scram-sha-512' : undefined;
    return {
      NODE_ENV: 'production',
      DATABASE_URL: this.databaseUrl(databaseUrl),
      KAFKA_BROKERS: brokers.join(),
      KAFKA_SSL: 'true',
      KAFKA_SSL_CA: ca,
      ...(cert && { KAFKA_SSL_CERT: cert, KAFKA_SSL_KEY: key }),
      ...(mechanism && { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: 'paywright', KAFKA_SASL_PASSWORD: password }), // prettier-ignore
    };
  }

  databaseUrl(plain: string, authorityFile = this.authorityFile): string {
    return `${plain}?sslmode=verify-full&sslrootcert=${authorityFile}`;
  }

  writeAuthority(name: string, { certificate }: Authority): string {
    const file = join(this.#folder, name);
    writeFileSync(file, certificate);
    return file;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
