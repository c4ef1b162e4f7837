/** An example or two in the help of every command. */
import { Command } from 'commander';

/** What follows the name of the command; of the program itself under the empty name. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  '': ['sandbox', 'doctor --production', '--env-file trapeza.env doctor --production'],
  serve: ['', '--port 8443'],
  sandbox: ['--port 8081', '--volume 100000'],
  migrate: ['', '--grants trapeza_serve'],
  backup: ['/backup/trapeza-2026-11-17.db', '/backup/trapeza.db --json'],
  import: ['/var/cut-over', '/var/cut-over --apply', 'cut-over.json --json'],
  'store move': ['--to postgres://trapeza@db.bank.example/trapeza'],
  'store accept': ['--reason "failover of 3 December, compared with the core"'],
  restore: ['/backup/trapeza-2026-11-17.db', '/backup/trapeza-2026-11-17.db --replace --accept'],
  doctor: ['--sandbox', '--production --json', '--start'],
  completion: ['bash'],
  'tpp create': ['--name "Agora Pay" --registration PSDGR-BOG-12345 --roles PSP_AI,PSP_PI'],
  'tpp register': ['--certificate agora.pem', '--certificate agora.pem --roles PSP_AI'],
  'tpp approve': ['TPP_ID'],
  'tpp check-register': ['register.json', 'register.json --apply --reason "register of 1 December"'],
  'tpp list': ['--json'],
  'tpp certificates list': ['--json'],
  'tpp policy': ['TPP_ID required', 'TPP_ID default'],
  'tpp unattended': ['TPP_ID 24', 'TPP_ID default'],
  'trust import': ['eu-lotl.xml EL.xml', '--json'],
  'trust list': ['--json'],
  statistics: ['--quarter 2026Q4', '--quarter 2026Q3 --publish', '--channels own-channels.csv'],
  parity: ['', '--psu customer-4711 --reason "acceptance test of the core"', '--json'],
  'application create': ['--tpp TPP_ID --name "Agora Pay" --redirect-uri https://agora.example/back'],
  'application list': ['--json'],
  'application webhook': ['CLIENT_ID https://agora.example/events', 'CLIENT_ID --remove'],
  'application security': ['CLIENT_ID --binding dpop', 'CLIENT_ID --profile fapi2'],
  'key create': [
    '--application CLIENT_ID',
    '--application CLIENT_ID --products ais,piis --quota-per-minute 600',
  ],
  'key list': ['--json'],
  'key roll': ['SUBSCRIPTION_ID --slot secondary'],
  'signing-key list': ['--json'],
  'signing-key roll': ['', '--purpose webhook'],
  'events pending': ['--json'],
  'events retry': ['CLIENT_ID'],
  'logs tail': ['', '--application CLIENT_ID --no-follow --json'],
  'consents list': ['--psu maria', '--account GR1601101250000000012300695 --all'],
  'consents show': ['CONSENT_ID'],
  'consents end': [
    'CONSENT_ID --by "N. Pappas" --reason "asked for by phone"',
    '--psu maria --by "N. Pappas" --reason "death of the account holder"',
  ],
  'maintenance on': [
    '--until 2026-12-06T04:00:00Z --message "The database is moved." --reason "move of the database"',
  ],
  'maintenance off': ['--reason "moved"', '--closing restore-2026-11-19 --reason "compared with the core"'],
  'maintenance status': ['--json'],
  'application redirects': ['CLIENT_ID https://app.example/callback https://app.example/return'],
  'application secret': [
    'CLIENT_ID --overlap 24 --reason "asked for by the third party"',
    'CLIENT_ID --reason "it was published"',
  ],
  'key quota': [
    'SUBSCRIPTION_ID --per-minute 60 --reason "overload"',
    'SUBSCRIPTION_ID --per-minute default --per-day default',
  ],
  'payments list': [
    '--from 2026-11-16 --to 2026-11-17',
    '--from 2026-11-17T16:40:00Z --to 2026-11-18 --status ACSC,RJCT --json',
  ],
  'payments open': ['', '--application CLIENT_ID --instant --json'],
  'payments unresolved': ['--json'],
  'payments retry': ['PAYMENT_ID', '--all'],
  'payments settle': [
    'PAYMENT_ID --settled --by "N. Pappas"',
    'PAYMENT_ID --rejected --reason AC04 --by "N. Pappas"',
  ],
  'payments reconcile': ['--reason "failover of 3 December"'],
  'atms import': ['atms.csv --preview', 'export.geojson --country GR --allow-refused'],
  'atms export': ['--format csv --out atms.csv'],
  'psu export': ['maria --out maria.json', 'maria --format csv'],
  settings: ['', '--json'],
  'events list': ['CLIENT_ID'],
  'events redeliver': ['CLIENT_ID EVENT_ID --reason "asked by phone"'],
  'secret status': ['', '--json'],
  'secret reseal': ['--reason "yearly change"'],
  'operator add': ['maria --role customers'],
  'audit list': ['', '--subject tpp:TPP_ID --json'],
  'audit verify': ['', '--head HASH'],
  'audit seal': ['--reason "upgrade to the keyed log"'],
  'audit export': ['--out audit.ndjson', '--format csv --out audit.csv'],
  'brand check': ['/etc/trapeza/brand', '--json'],
  'brand texts': ['en', 'el'],
  'brand preview': ['/etc/trapeza/brand', '/etc/trapeza/brand --out preview'],
  openapi: ['', '--production'],
  docs: ['--out docs'],
  'core-simulator': ['', '--port 8091 --fault late:0.1', '--payment-seconds 20'],
  'core-check': [
    'http://127.0.0.1:8090 --demo --payments',
    'https://core.bank.example --subject people.json --format junit --out report.xml',
  ],
  conformance: [
    'http://127.0.0.1:8080 --sandbox',
    'https://api.bank.example --credentials bank.json --html report.html --junit report.xml',
  ],
  'pki init': ['--out test-pki'],
  'pki issue': [
    '--pki test-pki --name "Agora Pay" --registration PSDGR-BOG-12345 --roles PSP_AI --out agora-seal',
  ],
  'pki revoke': ['1f3a9c --pki test-pki'],
  'pki ocsp': ['--pki test-pki'],
};

const lineOf = (path: string, rest: string): string =>
  ['trapeza', path, rest].filter((part) => part).join(' ');

/** A command that brings its example along. */
export class DerivedCommand extends Command {
  readonly examples: readonly string[];

  constructor(name: string, examples: readonly string[]) {
    super(name);
    this.examples = examples;
  }
}

/** Those of acts and lists come with them. */
const examplesFor = (command: Command, path: string): readonly string[] | undefined =>
  command instanceof DerivedCommand ? command.examples : examples[path];

/** All of a program, by the names of the commands. */
export const examplesIn = (
  command: Command,
  path = '',
): readonly (readonly [string, readonly string[]])[] => {
  const own = examplesFor(command, path);
  const inside = command.commands.flatMap((each) => examplesIn(each, `${path} ${each.name()}`.trim()));
  return own ? [[path, own], ...inside] : inside;
};

/** A group shows the first example of each of its commands. */
const linesOf = (command: Command, path: string): string[] =>
  examplesFor(command, path)?.map((rest) => lineOf(path, rest)) ??
  command.commands.flatMap((each) => linesOf(each, `${path} ${each.name()}`.trim()).slice(0, 1));

export const addExamples = (command: Command, path = ''): void => {
  const lines = linesOf(command, path).map((line) => `  ${line}`);
  command.addHelpText('after', ['', `Example${lines.length > 1 ? 's' : ''}:`, ...lines].join('\n'));
  for (const each of command.commands) addExamples(each, `${path} ${each.name()}`.trim());
};
