/** A sandbox of Trapeza gives its credentials, certificates and decisions to anybody. */
import { Failure } from '../verdict.js';
import { Bank } from './bank.js';
import type { Account, Application, Credentials, KnownConsent } from './credentials.js';
import type { Http } from './http.js';
import { sandboxPerson } from './person.js';
import type { Seal } from './seal.js';

interface SandboxPerson {
  readonly username: string;
  readonly password: string;
  readonly name: string;
  readonly canLogIn: boolean;
  readonly accounts: readonly { iban: string | null; currency: string; status: string }[];
}

interface Published {
  readonly applications: readonly (Required<Omit<Application, 'accessToken'>> & {
    roles: readonly string[];
  })[];
  readonly psus: readonly SandboxPerson[];
  readonly consents: readonly (KnownConsent & { application: string; psu: string })[];
}

const accountsOf = ({ accounts }: SandboxPerson): readonly Account[] =>
  accounts.flatMap(({ iban, currency, status }) =>
    iban !== null && status === 'enabled' ? [{ iban, currency }] : [],
  );

const applicationOf = (found: Published['applications'][number] | undefined): Application | undefined => {
  if (!found) return undefined;
  const { clientId, clientSecret, subscriptionKey, redirectUri } = found;
  return { clientId, clientSecret, subscriptionKey, redirectUri };
};

const credentialsIn = ({ applications, psus, consents }: Published): Credentials => {
  const [first, second] = applications.filter(({ roles }) => roles.length > 1);
  const [person, payee] = psus.filter((each) => each.canLogIn && accountsOf(each)[0]?.currency === 'EUR');
  const application = applicationOf(first);
  const [account, spare] = person ? accountsOf(person) : [];
  const [creditorAccount] = payee ? accountsOf(payee) : [];
  if (!application || !account || !creditorAccount || !person || !payee)
    throw new Failure('applications and people', 'a sandbox without them');
  const other = applicationOf(second);
  const limited = applicationOf(applications.find(({ roles }) => roles.join() === 'PSP_IC'));
  return {
    application,
    ...(other ? { other } : {}),
    ...(limited ? { limited } : {}),
    person: { username: person.username, password: person.password },
    account,
    ...(spare ? { spare } : {}),
    creditor: { iban: creditorAccount.iban, name: payee.name },
    consents: consents
      .filter((each) => each.application === application.clientId && each.psu === person.username)
      .filter(({ status }) => status !== 'Valid' && status !== 'Received')
      .map(({ type, id, status }) => ({ type, id, status })),
    payments: true,
  };
};

const readCredentials = async (http: Http): Promise<Credentials> => {
  const { status, json } = await http.send({
    path: '/sandbox/credentials',
    headers: { Accept: 'application/json' },
  });
  const { applications, psus, consents } = (json ?? {}) as Readonly<Record<string, unknown>>;
  if (status !== 200 || ![applications, psus, consents].every(Array.isArray))
    throw new Failure('a sandbox of Trapeza', `${status} and no credentials at /sandbox/credentials`);
  return credentialsIn(json as Published);
};

/** For the first application, by the test authority of the sandbox. */
const issueSeal = async (http: Http, { clientId }: Application): Promise<Seal | undefined> => {
  const { status, json } = await http.send({
    method: 'POST',
    path: '/sandbox/pki/certificates',
    headers: { 'Content-Type': 'application/json' },
    body: { application: clientId },
  });
  const { certificate, privateKey } = (json ?? {}) as Record<string, string | undefined>;
  return status < 300 && certificate && privateKey ? { certificate, key: privateKey } : undefined;
};

export const openSandbox = async (http: Http): Promise<Bank> => {
  const credentials = await readCredentials(http);
  const seal = await issueSeal(http, credentials.application);
  const person = sandboxPerson(http, credentials.person?.username ?? '');
  return new Bank({ http, credentials, person, seal });
};
