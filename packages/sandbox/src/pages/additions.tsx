/** What the sandbox adds to the pages of the service: its environment, demo people to log in as, the first steps. */

import { CodeBlock, type Frame, type Language, type PageAdditions } from 'trapeza/pages';
import { demoApplications } from '../applications.js';
import type { DemoPsu } from '../bank/people.js';
import { firstCall } from '../first-call.js';
import { preparation } from '../preparation.js';
import { PHONE } from './phone-page.js';
import { DEMO_TPP } from './tpp/index.js';

const texts = {
  el: {
    name: 'Δοκιμαστικό περιβάλλον.',
    demoNote: 'Μόνο δεδομένα επίδειξης, χωρίς πραγματικά χρήματα.',
    facility: (bank: string) => `Περιβάλλον δοκιμών (${bank}).`,
    facilityNote: 'Δοκιμαστικά δεδομένα, χωρίς πραγματικά χρήματα.',
    realNote: 'Συνδέεται με το σύστημα τράπεζας: λογαριασμοί και χρήματα μπορεί να είναι πραγματικά.',
    tryAs: 'Για δοκιμή: όνομα χρήστη',
    password: 'κωδικός',
    others: 'Όλοι οι δοκιμαστικοί χρήστες',
  },
  en: {
    name: 'Sandbox.',
    demoNote: 'Demo data only, no real money.',
    facility: (bank: string) => `Test facility of ${bank}.`,
    facilityNote: 'Test data, no real money.',
    realNote: 'In front of a bank’s own system: accounts and money may be real.',
    tryAs: 'To try it out: user name',
    password: 'password',
    others: 'All demo users',
  },
} as const satisfies Record<Language, unknown>;

/** Whom one can be, on the form itself: a link to a list would lead out of the flow. */
const DemoPeople = ({ lang, people }: { readonly lang: Language; readonly people: readonly DemoPsu[] }) => {
  const { tryAs, password: word, others } = texts[lang];
  const [first] = people;
  return (
    <div class="demo-people">
      <p>
        {tryAs} <code>{first?.username}</code>, {word} <code>{first?.password}</code>
      </p>
      <details class="more">
        <summary>{others}</summary>
        <ul class="plain">
          {people.map(({ username, password, about }) => (
            <li key={username}>
              <code>{username}</code>, {word} <code>{password}</code>
              <span class="quiet small block">{about[lang]}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
};

const SIGNATURE_HINT =
  'The dry run shows more: send `POST /sandbox/signature-check` with `method`, `path`, `headers` and `body` of the request that you want to send. It answers with the signing string that the bank has built, the digest of the body, and every check of the signature and of the certificate with its verdict. Compare the signing string with yours: a difference of one character is enough.';

interface FirstCallProps {
  readonly frame: Frame;
  readonly demoTpp: string | undefined;
}

const FirstCall = ({ frame, demoTpp }: FirstCallProps) => (
  <section class="stack" aria-labelledby="first-call">
    <h2 id="first-call">Your first call</h2>
    <ol class="steps">
      <li>
        <p>Paste this into a terminal. It fetches a token for a demo account holder and reads the ATMs.</p>
        <CodeBlock name="Terminal" code={firstCall(frame.baseUrl, demoApplications)} />
      </li>
      <li>
        <p>
          Look at <a href={frame.href('/sandbox/credentials')}>the demo credentials</a>: applications with
          their keys, account holders with their accounts, and consents in every state.
        </p>
      </li>
      {demoTpp !== undefined && (
        <li>
          <p>
            Walk a whole flow with <a href={frame.href(demoTpp)}>the demo third party</a>: it asks you for a
            permission, sends you to the bank and uses what you approve, and shows every request on the way.
          </p>
        </li>
      )}
      <li>
        <p>
          Go on with <a href={frame.href('/docs')}>the reference</a>: every operation has a request to paste.
        </p>
      </li>
      <li>
        <p>
          <a href={frame.href('/docs/signatures')}>Sign a request</a> with a certificate of the sandbox, in
          the terminal or with Node.
        </p>
      </li>
    </ol>
  </section>
);

const CREDENTIALS = {
  path: '/sandbox/credentials',
  title: 'Demo credentials',
  names: { el: 'Δοκιμαστικοί χρήστες και κλειδιά', en: 'Demo users and keys' },
};

const DEMO_THIRD_PARTY = {
  path: DEMO_TPP,
  title: 'See a whole flow',
  names: { el: 'Δοκιμαστική εφαρμογή', en: 'Demo third party' },
};

export interface AdditionParts {
  readonly people: readonly DemoPsu[];
  /** A sandbox may stand in front of a bank whose accounts are real. */
  readonly isTestBank: boolean;
  /** The bank whose test facility this is; absent if the bank is the demo bank. */
  readonly facilityOf?: string | undefined;
  readonly hasDemoTpp: boolean;
}

const environmentOf = ({ isTestBank, facilityOf }: AdditionParts, lang: Language) => {
  const words = texts[lang];
  if (!isTestBank) return { name: words.name, note: words.realNote };
  if (facilityOf === undefined) return { name: words.name, note: words.demoNote };
  return { name: words.facility(facilityOf), note: words.facilityNote };
};

export const pageAdditions = (parts: AdditionParts): PageAdditions => {
  const { people, isTestBank, facilityOf, hasDemoTpp } = parts;
  const demoTpp = hasDemoTpp ? DEMO_TPP : undefined;
  return {
    environment: { el: environmentOf(parts, 'el'), en: environmentOf(parts, 'en') },
    ...(isTestBank ? { loginHelp: (lang) => <DemoPeople lang={lang} people={people} /> } : {}),
    links: hasDemoTpp ? [DEMO_THIRD_PARTY, CREDENTIALS] : [CREDENTIALS],
    firstSteps: (frame) => <FirstCall frame={frame} demoTpp={demoTpp} />,
    ...(facilityOf === undefined ? { demoPhone: PHONE } : {}),
    exampleKey: demoApplications[0]?.subscriptionKey ?? '',
    // The people of a test facility have accounts of their own.
    ...(facilityOf === undefined ? { preparation } : {}),
    signatureHint: SIGNATURE_HINT,
  };
};
