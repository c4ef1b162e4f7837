/** The login page of the demo bank's OpenID provider: what is confirmed, by whom, and the two answers. In both languages. */
import {
  everybody,
  type Frame,
  flowPage,
  type Language,
  type Page,
  type PageAnswer,
  seeOther,
} from 'trapeza/pages';
import { type AskedOfProvider, BANK_LOGIN, type DemoOpenId } from '../bank/demo-openid.js';
import { AnswerButtons } from './answer-buttons.js';
import { grouped } from './credentials-page.js';

const texts = {
  el: {
    title: 'Σύνδεση στην τράπεζα',
    about: 'Στη θέση αυτής της σελίδας μια πραγματική τράπεζα ζητά τη δική της ισχυρή ταυτοποίηση.',
    person: 'Επιβεβαιώνει:',
    payment: 'Πληρωμή',
    payee: 'Δικαιούχος',
    confirm: 'Επιβεβαίωση',
    refuse: 'Ακύρωση',
    unknown:
      'Αυτή η διεύθυνση ανοίγει μόνο από τη σελίδα που ζητά την επιβεβαίωση. Επιστρέψτε εκεί και δοκιμάστε ξανά.',
  },
  en: {
    title: 'Bank login',
    about: 'In the place of this page a real bank asks for its own strong authentication.',
    person: 'Confirming:',
    payment: 'Payment',
    payee: 'Payee',
    confirm: 'Confirm',
    refuse: 'Cancel',
    unknown:
      'This address opens only from the page that asks for the confirmation. Go back there and try again.',
  },
} as const satisfies Record<Language, unknown>;

type Texts = (typeof texts)[Language];

const Payment = ({ payment, words }: Pick<AskedOfProvider, 'payment'> & { readonly words: Texts }) =>
  payment === undefined ? null : (
    <div class="card">
      <p>
        {words.payment} <strong class="block">{payment.amount}</strong>
        <span class="block">
          {words.payee} <strong>{payment.payee}</strong>
        </span>
        <span class="number">{grouped(payment.account)}</span>
      </p>
    </div>
  );

interface View {
  readonly frame: Frame;
  readonly lang: Language;
  readonly asked: AskedOfProvider | undefined;
}

const Form = ({ frame, words, asked }: Omit<View, 'lang'> & { readonly words: Texts }) => {
  if (!asked) return <p>{words.unknown}</p>;
  return (
    <form class="sections" method="post" action={frame.href(BANK_LOGIN)}>
      <p>
        {words.person} <strong lang="el">{asked.name}</strong>
      </p>
      <Payment payment={asked.payment} words={words} />
      <input type="hidden" name="asked" value={asked.query.toString()} />
      <AnswerButtons {...words} />
    </form>
  );
};

const pageOf = ({ frame, lang, asked }: View): PageAnswer => {
  const words = texts[lang];
  const children = (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <p class="lead">{words.about}</p>
      </div>
      <Form frame={frame} words={words} asked={asked} />
    </>
  );
  return flowPage(
    { frame, lang, title: words.title, path: BANK_LOGIN, children },
    { status: asked ? 200 : 400 },
  );
};

const languageIn = (query: URLSearchParams): Language => (query.get('ui_locales') === 'en' ? 'en' : 'el');

export const createBankLoginPages = (provider: DemoOpenId, frame: () => Frame): readonly Page[] => {
  const shown = (query: URLSearchParams): PageAnswer =>
    pageOf({ frame: frame(), lang: languageIn(query), asked: provider.asked(query) });
  return [
    {
      method: 'GET',
      path: BANK_LOGIN,
      audience: everybody,
      render: ({ query }) => shown(new URLSearchParams(query as Record<string, string>)),
    },
    {
      method: 'POST',
      path: BANK_LOGIN,
      audience: everybody,
      render: async ({ form }) => {
        const query = new URLSearchParams(form.asked);
        const asked = provider.asked(query);
        if (!asked || (form.answer !== 'right' && form.answer !== 'refused')) return shown(query);
        return seeOther(form.answer === 'right' ? await provider.confirm(asked) : provider.refuse(asked));
      },
    },
  ];
};
