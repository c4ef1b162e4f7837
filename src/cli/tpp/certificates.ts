/** `trapeza tpp register` and `tpp certificates`: third parties by the certificate that they show. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Admin } from '../../admin/admin.js';
import { type CertificateChain, readCertificateFile } from '../../certificate/certificate.js';
import { ListedTrust } from '../../certificate/lists/listed-trust.js';
import { openVerifier } from '../../certificate/open.js';
import { CertificateRefusal, reasons } from '../../certificate/reasons.js';
import type { Config } from '../../config/config.js';
import { DAY, systemClock } from '../../lib/clock.js';
import { instantText } from '../../lib/instant.js';
import type { Log } from '../../observe/log.js';
import type { Queries } from '../../store/db.js';
import * as acts from '../../tpp/acts.js';
import { blockedFingerprints } from '../../tpp/blocked-certificates.js';
import { holderOf } from '../../tpp/certificates.js';
import { addDerived } from '../derived.js';
import { CommandError, namesIn, print, printJson, printTable } from '../output.js';
import { now, type ReasonFlag, withAdmin, withReason } from '../store.js';

const SOON_DAYS = 30;

const read = (file: string): CertificateChain => {
  try {
    return readCertificateFile(readFileSync(file));
  } catch (error) {
    if (error instanceof CertificateRefusal)
      throw new CommandError(`${file} is not a certificate in PEM or DER`);
    throw error;
  }
};

/** Verified as in a request with this certificate; false if there is no trust anchor yet. */
const isVerified = async (
  { certificate, extra }: CertificateChain,
  db: Queries,
  config: Config,
): Promise<boolean> => {
  const listed = new ListedTrust(db, systemClock, (error) => {
    throw error;
  });
  await listed.refresh();
  if (config.trustAnchors === undefined && (await listed.current()).anchors.length === 0) return false;
  const warn: Log['warn'] = (members, name) => console.error(`${name} ${JSON.stringify(members)}`);
  const verifier = await openVerifier({
    config,
    blocked: () => blockedFingerprints(db),
    clock: systemClock,
    listed,
    log: { warn },
  });
  const [use = 'seal'] = holderOf(certificate).uses;
  const { reason } = await verifier.verify(certificate, { use, extra });
  if (reason)
    throw new CommandError(`the certificate is not accepted (${reason}): ${reasons[reason].detail}`);
  return true;
};

interface RegisterOptions extends ReasonFlag {
  readonly certificate: string;
  readonly name?: string;
  readonly roles?: string;
  readonly unverified?: boolean;
  readonly json?: boolean;
}

const notes = (verified: boolean, notAfter: number): string => {
  const days = Math.floor((notAfter - now()) / DAY);
  return [
    ...(verified ? [] : ['It was not verified: TRAPEZA_TRUST_ANCHORS is not set, or it was not wanted.']),
    ...(days < SOON_DAYS ? [`It expires in ${days} day(s).`] : []),
  ]
    .map((line) => `\n${line}`)
    .join('');
};

const register = (options: RegisterOptions): Promise<void> =>
  withAdmin(async (admin, config, db) => {
    const chain = read(options.certificate);
    const verified = options.unverified ? false : await isVerified(chain, db, config);
    const wanted = {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.roles === undefined ? {} : { roles: namesIn(options.roles) }),
    };
    const made = await admin.registerCertificate({ certificate: chain.certificate, ...wanted });
    const { isNew, ...holder } = made;
    const { notAfter } = chain.certificate;
    if (options.json) printJson({ ...holder, isNew, verified, notAfter: instantText(notAfter) });
    else
      print(
        `${isNew ? 'Third party' : 'The known third party'} ${holder.name} (${holder.registration}, ${holder.roles.join(' ')}) is ${holder.id}; its certificate is kept.${notes(verified, notAfter)}\nNext: trapeza application create --tpp ${holder.id} --name …`,
      );
  }, options);

const instantOf = (ms: number | null): string | null => (ms === null ? null : instantText(ms));

const list = async (admin: Admin, isJson: boolean): Promise<void> => {
  const rows = (await admin.certificates()).map((row) => ({
    ...row,
    notAfter: instantOf(row.notAfter),
    blockedAt: instantOf(row.blockedAt),
  }));
  if (isJson) printJson(rows);
  else printTable(rows, 'There are no certificates yet: trapeza tpp register --help');
};

export const addCertificateCommands = (tpp: Command): void => {
  withReason(tpp.command('register'))
    .description('register a third party from its QWAC or QSealC, or keep another certificate of it')
    .requiredOption(
      '--certificate <file>',
      'the certificate, PEM or DER; others behind it lead to its provider',
    )
    .option('--name <name>', 'another name than the certificate has, shown to account holders')
    .option('--roles <roles>', 'fewer roles than the certificate has, separated by commas')
    .option('--unverified', 'do not verify it against TRAPEZA_TRUST_ANCHORS')
    .option('--json', 'print JSON')
    .action(register);
  const certificates = tpp
    .command('certificates')
    .description('certificates of third parties: list, block, unblock');
  certificates
    .command('list', { isDefault: true })
    .description('list the certificates of third parties, the first to expire first')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => withAdmin((admin) => list(admin, options.json ?? false)));
  addDerived(certificates, acts, 'certificate');
};
