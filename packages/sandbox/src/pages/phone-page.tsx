/** The demo phone: requests of the bank's app, to confirm or refuse. A second window stands for the second device. In both languages. */

import type { Clock, Db } from 'trapeza/base';
import {
  Callout,
  everybody,
  type Frame,
  flowPage,
  type Language,
  languageCookies,
  languageOf,
  type Page,
  type PageRequest,
  seeOther,
} from 'trapeza/pages';
import { answerOnPhone, type PhoneRequest, phoneRequests } from '../bank/demo-phone.js';
import { AnswerButtons } from './answer-buttons.js';
import { grouped } from './credentials-page.js';
import { DEVICES } from './devices-page.js';

export const PHONE = '/sandbox/phone';
const LOOK_EVERY_SECONDS = 5;

const texts = {
  el: {
    title: 'Τηλέφωνο επίδειξης',
    about: 'Αιτήματα στην εφαρμογή της τράπεζας, για επιβεβαίωση ή απόρριψη.',
    empty:
      'Κανένα αίτημα. Ξεκινήστε μια έγκριση ως katerina: το αίτημα εμφανίζεται εδώ σε λίγα δευτερόλεπτα.',
    pay: (amount: string) => `Πληρωμή ${amount};`,
    isYou: 'Επιβεβαιώνετε ότι είστε εσείς;',
    to: 'Προς',
    confirm: 'Επιβεβαίωση',
    refuse: 'Απόρριψη',
    passkey: 'Προσθέστε ένα κλειδί πρόσβασης (passkey)',
    instead: 'για να επιβεβαιώνετε με τη συσκευή σας.',
    right: { title: 'Επιβεβαιώσατε', text: 'Επιστρέψτε στη σελίδα της τράπεζας, που συνεχίζει μόνη της.' },
    refused: { title: 'Απορρίψατε', text: 'Η σελίδα της τράπεζας θα το δείξει.' },
    late: {
      title: 'Το αίτημα δεν μπορεί πια να απαντηθεί',
      text: 'Έληξε, απαντήθηκε ήδη ή το περιβάλλον επανήλθε στην αρχή.',
    },
  },
  en: {
    title: 'Demo phone',
    about: 'Requests in the bank’s app, to confirm or refuse.',
    empty: 'Nothing to confirm. Start an approval as katerina: the request appears here within seconds.',
    pay: (amount: string) => `Pay ${amount}?`,
    isYou: 'Confirm that it is you?',
    to: 'To',
    confirm: 'Confirm',
    refuse: 'Refuse',
    passkey: 'Add a passkey',
    instead: 'to confirm with your device instead.',
    right: { title: 'Confirmed', text: 'Go back to the bank’s page, which goes on by itself.' },
    refused: { title: 'Refused', text: 'The bank’s page will say so.' },
    late: {
      title: 'This request can no longer be answered',
      text: 'It has expired, was answered before, or the sandbox was reset.',
    },
  },
} as const satisfies Record<Language, unknown>;

interface RequestProps {
  readonly frame: Frame;
  readonly lang: Language;
  readonly request: PhoneRequest;
}

const Request = ({ frame, lang, request }: RequestProps) => {
  const { challengeId, name, payment } = request;
  const words = texts[lang];
  return (
    <form class="card stack" method="post" action={frame.href(PHONE)}>
      <h2>{payment ? words.pay(payment.amount) : words.isYou}</h2>
      <p>
        <span lang="el">{name}</span>
        {payment && (
          <>
            <span class="block">
              {words.to} <strong>{payment.payee}</strong>
            </span>
            <span class="block number">{grouped(payment.account)}</span>
          </>
        )}
      </p>
      <input type="hidden" name="challenge" value={challengeId} />
      <AnswerButtons {...words} />
    </form>
  );
};

interface PhoneParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly frame: () => Frame;
}

const show = async (parts: PhoneParts, request: PageRequest) => {
  const frame = parts.frame();
  const lang = languageOf(request);
  const words = texts[lang];
  const { outcome } = request.query;
  const requests = await phoneRequests(parts.db, parts.clock.now());
  const children = (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <p class="lead">{words.about}</p>
      </div>
      <div class="sections">
        {(outcome === 'right' || outcome === 'refused' || outcome === 'late') && (
          <Callout meaning={outcome === 'late' ? 'notice' : 'good'} heading={words[outcome].title}>
            <p>{words[outcome].text}</p>
          </Callout>
        )}
        {requests.length === 0 && <p>{words.empty}</p>}
        {requests.map((each) => (
          <Request key={each.challengeId} frame={frame} lang={lang} request={each} />
        ))}
        <p>
          <a href={frame.href(DEVICES)}>{words.passkey}</a> {words.instead}
        </p>
      </div>
    </>
  );
  // It shows by itself what has come meanwhile.
  const headers = { Refresh: `${LOOK_EVERY_SECONDS}; url=${frame.href(PHONE)}` };
  return flowPage(
    { frame, lang, title: words.title, path: PHONE, children },
    { headers, cookies: languageCookies(request) },
  );
};

export const createPhonePages = (parts: PhoneParts): readonly Page[] => [
  { method: 'GET', path: PHONE, audience: everybody, render: (request) => show(parts, request) },
  {
    method: 'POST',
    path: PHONE,
    audience: everybody,
    render: async ({ form: { challenge = '', answer } }) => {
      const here = parts.frame().href(PHONE);
      if (answer !== 'right' && answer !== 'refused') return seeOther(here);
      const isAnswered = await answerOnPhone(parts.db, challenge, answer, parts.clock.now());
      return seeOther(`${here}?outcome=${isAnswered ? answer : 'late'}`);
    },
  },
];
