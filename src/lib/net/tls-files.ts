/**
 * The certificate and key of a TLS listener, kept in two files. They are read again periodically; a pair that does not fit, such
 * as one that is half replaced, is reported and not used.
 */
import { constants } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** BCP 195 (RFC 9325): forward secrecy and authenticated encryption, nothing else. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

const contextOf = (pair: Pair): SecureContextOptions => ({
  ...pair,
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS,
  honorCipherOrder: true,
  // A resumed session would bring the client's certificate without those that lead to its issuer.
  secureOptions: constants.SSL_OP_NO_TICKET,
});

const readPair = async (certificateFile: string, keyFile: string): Promise<Pair> => {
  const [cert, key] = await Promise.all([readFile(certificateFile), readFile(keyFile)]);
  createSecureContext(contextOf({ cert, key }));
  return { cert, key };
};

export interface TlsFileNames {
  readonly certificate: string;
  readonly key: string;
}

export class TlsFiles {
  readonly #files: TlsFileNames;
  readonly #onFault: (error: unknown) => void;
  readonly #listeners: ((context: SecureContextOptions) => void)[] = [];
  #pair: Pair;

  private constructor(files: TlsFileNames, pair: Pair, onFault: (error: unknown) => void) {
    this.#files = files;
    this.#pair = pair;
    this.#onFault = onFault;
  }

  /** Throws if the files cannot be used: a service that was meant to have TLS must not start without. */
  static async open(files: TlsFileNames, onFault: (error: unknown) => void): Promise<TlsFiles> {
    return new TlsFiles(files, await readPair(files.certificate, files.key), onFault);
  }

  get context(): SecureContextOptions {
    return contextOf(this.#pair);
  }

  /** In PEM, as connections get it from now on. */
  get certificate(): Buffer {
    return this.#pair.cert;
  }

  /** Of the file. */
  get name(): string {
    return basename(this.#files.certificate);
  }

  onChange(listener: (context: SecureContextOptions) => void): void {
    this.#listeners.push(listener);
  }

  /** Looks at the files; connections from now on get what is in them. Returns how many pairs were replaced. */
  async refresh(): Promise<number> {
    try {
      const pair = await readPair(this.#files.certificate, this.#files.key);
      if (pair.cert.equals(this.#pair.cert) && pair.key.equals(this.#pair.key)) return 0;
      this.#pair = pair;
      for (const listener of this.#listeners) listener(this.context);
      return 1;
    } catch (error) {
      this.#onFault(error);
      return 0;
    }
  }
}
