/** What the sandbox adds to the pages of the service: its environment, demo people to log in as, the first steps. */

import { CodeBlock, type Frame, type Language, type PageAdditions } from 'trapeza/pages';
import { type DemoApplication, demoApplications, RETURN } from '../applications.js';
import type { DemoPsu } from '../bank/people.js';
import { PORTAL } from '../developers/sessions.js';
import { firstCall } from '../first-call.js';
import { preparation, preparingCalls } from '../preparation.js';
import { SCENARIOS } from '../scenarios/rehearsal.js';
import { PHONE } from './phone-page.js';
import { type Catalogue, scenariosPage } from './scenarios-page.js';
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
    pausesEnd:
      'Στο δοκιμαστικό περιβάλλον δεν χρειάζεται να περιμένετε: η παύση τελειώνει με PUT /sandbox/clock και {"advance":"PT16M"}, ή με POST /sandbox/reset, που σβήνει και τα δεδομένα.',
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
    pausesEnd:
      'In the sandbox you need not wait: PUT /sandbox/clock with {"advance":"PT16M"} ends the pause, and so does POST /sandbox/reset, which clears the data too.',
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

const firstSteps = {
  el: {
    heading: 'Η πρώτη σας κλήση',
    terminal: 'Τερματικό',
    paste:
      'Επικολλήστε το σε ένα τερματικό. Παίρνει ένα token για έναν δοκιμαστικό κάτοχο λογαριασμού και διαβάζει τα ATM.',
    flow: 'Δείτε μια ολόκληρη ροή με τη δοκιμαστική εφαρμογή',
    credentials: 'Δείτε τους δοκιμαστικούς χρήστες και τα κλειδιά',
    reference: 'Συνεχίστε με την τεκμηρίωση: κάθε κλήση έχει παράδειγμα για επικόλληση',
    signatures: 'Υπογράψτε ένα αίτημα με δοκιμαστικό πιστοποιητικό',
  },
  en: {
    heading: 'Your first call',
    terminal: 'Terminal',
    paste: 'Paste this into a terminal. It fetches a token for a demo account holder and reads the ATMs.',
    flow: 'Follow a whole flow with the demo third party',
    credentials: 'Look up demo users, applications and keys',
    reference: 'Continue with the reference: every operation has a request to paste',
    signatures: 'Sign a request with a certificate of the sandbox',
  },
} as const satisfies Record<Language, unknown>;

interface FirstCallProps {
  readonly frame: Frame;
  readonly lang: Language;
  readonly hasDemoTpp: boolean;
}

const FirstCall = ({ frame, lang, hasDemoTpp }: FirstCallProps) => {
  const words = firstSteps[lang];
  const links = [
    ...(hasDemoTpp ? [{ path: DEMO_TPP, text: words.flow }] : []),
    { path: CREDENTIALS.path, text: words.credentials },
    { path: '/docs', text: words.reference },
    { path: '/docs/guides/signatures', text: words.signatures },
  ];
  return (
    <section class="stack" aria-labelledby="first-call">
      <h2 id="first-call">{words.heading}</h2>
      <ol class="steps">
        <li>
          <p>{words.paste}</p>
          <CodeBlock name={words.terminal} code={firstCall(frame.baseUrl, demoApplications)} />
        </li>
        {links.map(({ path, text }) => (
          <li key={path}>
            <p>
              <a href={frame.href(path)}>{text}</a>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
};

const CREDENTIALS = {
  path: '/sandbox/credentials',
  names: { el: 'Δοκιμαστικοί χρήστες και κλειδιά', en: 'Demo users and keys' },
  about: {
    el: 'Με ποιον συνδέεστε, και με ποιο κλειδί καλείτε.',
    en: 'Whom to log in as, and which key to call with.',
  },
};

const SCENARIOS_LINK = {
  path: SCENARIOS,
  names: { el: 'Σενάρια', en: 'Scenarios' },
  about: {
    el: 'Κάθε έκβαση που πρέπει να χειριστεί το πρόγραμμά σας, κατά παραγγελία.',
    en: 'Every outcome that your program must handle, on demand.',
  },
};

const DEMO_THIRD_PARTY = {
  path: DEMO_TPP,
  names: { el: 'Δοκιμαστική εφαρμογή', en: 'Demo third party' },
  about: {
    el: 'Μια ολόκληρη ροή, με κάθε αίτημα και κάθε απάντηση.',
    en: 'A whole flow, with every request and answer.',
  },
};

const OWN_SANDBOX = {
  path: PORTAL,
  names: { el: 'Δικό σας δοκιμαστικό περιβάλλον', en: 'A sandbox of your own' },
  about: {
    el: 'Με εγγραφή: δικό του ρολόι, δικοί του πελάτες, δική του επαναφορά.',
    en: 'By sign-up: its own clock, its own people, its own reset.',
  },
};

const YOUR_APPLICATIONS = {
  path: PORTAL,
  names: { el: 'Οι εφαρμογές σας', en: 'Your applications' },
  about: {
    el: 'Κλειδιά, αρχείο κλήσεων, χρήση, ειδοποιήσεις και πιστοποιητικά.',
    en: 'Keys, request log, usage, notifications and certificates.',
  },
};

const credentialsOf = ({ clientId, clientSecret }: DemoApplication) => ({ clientId, clientSecret });

export interface AdditionParts {
  readonly people: readonly DemoPsu[];
  /** A sandbox may stand in front of a bank whose accounts are real. */
  readonly isTestBank: boolean;
  /** The bank whose test facility this is; absent if the bank is the demo bank. */
  readonly facilityOf?: ((lang: Language) => string) | undefined;
  readonly hasDemoTpp: boolean;
  /** Developers have pages of their own, here or in the sandboxes that they sign up for. */
  readonly hasPortal: boolean;
  /** It is the sandbox of one developer. */
  readonly isOwn: boolean;
  readonly catalogue: Catalogue;
}

const environmentOf = ({ isTestBank, facilityOf }: AdditionParts, lang: Language) => {
  const words = texts[lang];
  if (!isTestBank) return { name: words.name, note: words.realNote };
  if (facilityOf === undefined) return { name: words.name, note: words.demoNote };
  return { name: words.facility(facilityOf(lang)), note: words.facilityNote };
};

export const pageAdditions = (parts: AdditionParts): PageAdditions => {
  const { people, isTestBank, facilityOf, hasDemoTpp, hasPortal, isOwn, catalogue } = parts;
  const [example] = demoApplications;
  return {
    environment: { el: environmentOf(parts, 'el'), en: environmentOf(parts, 'en') },
    ...(isTestBank ? { loginHelp: (lang) => <DemoPeople lang={lang} people={people} /> } : {}),
    links: [
      ...(hasDemoTpp ? [DEMO_THIRD_PARTY] : []),
      CREDENTIALS,
      SCENARIOS_LINK,
      ...(hasPortal ? [isOwn ? YOUR_APPLICATIONS : OWN_SANDBOX] : []),
    ],
    firstSteps: (frame, lang) => <FirstCall frame={frame} lang={lang} hasDemoTpp={hasDemoTpp} />,
    ...(facilityOf === undefined ? { demoPhone: PHONE } : {}),
    pausesEnd: { el: texts.el.pausesEnd, en: texts.en.pausesEnd },
    exampleKey: example?.subscriptionKey ?? '',
    ...(example && hasDemoTpp ? { codeGrant: { ...credentialsOf(example), returnPath: RETURN } } : {}),
    ...(hasPortal ? { portal: PORTAL } : {}),
    // The people of a test facility have accounts of their own.
    ...(facilityOf === undefined ? { preparation, preparingCalls } : {}),
    scenarios: {
      path: SCENARIOS,
      html: (frame, lang) => String(scenariosPage(catalogue, frame, lang).body),
    },
  };
};
