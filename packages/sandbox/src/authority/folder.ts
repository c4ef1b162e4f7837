/** A test PKI in a folder, for the command line: keys only their owner may read, certificates, what was issued, the current list. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, type RealTime } from 'trapeza/base';
import { pemOf, readCertificateFile } from 'trapeza/certificates';
import { buildCrl, listTimes } from './answers.js';
import { createAuthority, type Issued, TestAuthority, type Wish } from './authority.js';
import type { IssuedState } from './responder.js';

/** A mistake of the person at the keyboard, in words for them. */
export class PkiError extends Error {}

interface Entry {
  /** Hexadecimal. */
  readonly serial: string;
  readonly use: string;
  readonly registration: string;
  readonly revokedAt?: number;
}

interface Book {
  readonly baseUrl: string;
  readonly certificates: readonly Entry[];
}

const BOOK = 'pki.json';

/** Whole or not at all. */
const write = (path: string, content: string | Buffer, mode = 0o644): void => {
  const draft = `${path}.new`;
  writeFileSync(draft, content, { mode });
  renameSync(draft, path);
};

export class PkiFolder {
  readonly #folder: string;
  readonly authority: TestAuthority;

  private constructor(folder: string, authority: TestAuthority) {
    this.#folder = folder;
    this.authority = authority;
  }

  static async create(folder: string, baseUrl: string, nowMs: RealTime): Promise<PkiFolder> {
    if (existsSync(join(folder, BOOK))) throw new PkiError(`${folder} has a test PKI already`);
    makePrivateFolder(folder);
    const record = await createAuthority(baseUrl, nowMs);
    const authority = new TestAuthority(record);
    write(join(folder, 'root.key'), record.rootKey, 0o600);
    write(join(folder, 'issuing.key'), record.issuingKey, 0o600);
    write(join(folder, 'root.pem'), pemOf(authority.root));
    write(join(folder, 'issuing.pem'), pemOf(authority.issuing));
    const made = new PkiFolder(folder, authority);
    made.#save({ baseUrl, certificates: [] }, nowMs);
    return made;
  }

  static open(folder: string): PkiFolder {
    if (!existsSync(join(folder, BOOK)))
      throw new PkiError(`${folder} has no test PKI: trapeza pki init --out ${folder}`);
    const { baseUrl } = JSON.parse(readFileSync(join(folder, BOOK), 'utf8')) as Book;
    const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const der = (name: string): string =>
      readCertificateFile(readFileSync(join(folder, name))).certificate.raw.toString('base64');
    const authority = new TestAuthority({
      baseUrl,
      root: der('root.pem'),
      rootKey: text('root.key'),
      issuing: der('issuing.pem'),
      issuingKey: text('issuing.key'),
    });
    return new PkiFolder(folder, authority);
  }

  #book(): Book {
    return JSON.parse(readFileSync(join(this.#folder, BOOK), 'utf8')) as Book;
  }

  #save(book: Book, nowMs: RealTime): void {
    write(join(this.#folder, BOOK), `${JSON.stringify(book, null, 2)}\n`);
    const { issuingName: name, issuingKey: key } = this.authority;
    const revoked = statesOf(book).flatMap(({ serial, revokedAt: at }) =>
      at === undefined ? [] : [{ serial, at }],
    );
    write(join(this.#folder, 'crl.der'), buildCrl({ name, key }, revoked, listTimes(nowMs)));
  }

  issue(wish: Wish, nowMs: RealTime): Issued {
    const issued = this.authority.issue(wish, nowMs);
    const book = this.#book();
    const entry = { serial: issued.serial.toString(16), use: wish.use, registration: wish.registration };
    this.#save({ ...book, certificates: [...book.certificates, entry] }, nowMs);
    return issued;
  }

  revoke(serial: string, nowMs: RealTime): void {
    const wanted = serial.toLowerCase().replaceAll(':', '').replace(/^0+/, '');
    const book = this.#book();
    if (!book.certificates.some((each) => each.serial === wanted))
      throw new PkiError('this PKI has issued no certificate with that serial number');
    const certificates = book.certificates.map((each) =>
      each.serial === wanted ? { ...each, revokedAt: each.revokedAt ?? nowMs } : each,
    );
    this.#save({ ...book, certificates }, nowMs);
  }

  /** Read anew each time: another command may have issued or revoked since. */
  issued(): readonly IssuedState[] {
    return statesOf(this.#book());
  }
}

const statesOf = ({ certificates }: Book): IssuedState[] =>
  certificates.map(({ serial, revokedAt }) => ({ serial: BigInt(`0x${serial}`), revokedAt }));
