/** What the bank's dress needs: its files, and a statement of accessibility (Directive (EU) 2019/882) if it has none of its own. */
import { everybody } from '../http/audience.js';
import type { Page } from '../http/pages.js';
import { assetPage } from '../web/assets/page.js';
import { ACCESSIBILITY } from '../web/components/bank-dress.js';
import { flowPage } from '../web/components/flow-shell.js';
import type { Frame } from '../web/frame.js';
import { type Language, languageCookies, pageLanguageOf } from '../web/language.js';

/** It must not claim more than the tests of the pages hold; a bank with an audit of its own gives its own address. */
export const accessibilityTexts = {
  el: {
    title: 'Δήλωση προσβασιμότητας',
    lead: 'Αφορά τις σελίδες όπου συνδέεστε, εγκρίνετε ή απορρίπτετε αιτήματα εφαρμογών και βλέπετε τις άδειές σας.',
    goal: 'Στόχος',
    goals: [
      'Οι σελίδες ακολουθούν τις οδηγίες WCAG 2.2, επίπεδο AA, στις οποίες βασίζεται το πρότυπο EN 301 549.',
      'Λειτουργούν μόνο με πληκτρολόγιο, χωρίς JavaScript, σε κινητό, με μεγέθυνση, με σκούρα χρώματα και με τα δικά σας χρώματα.',
      'Κάθε χρώμα με σημασία συνοδεύεται από λέξη ή σύμβολο.',
    ],
    checked: 'Πώς ελέγχονται',
    checks:
      'Κάθε έκδοση του λογισμικού ελέγχεται αυτόματα σε πραγματικό πρόγραμμα περιήγησης. Δεν έχει γίνει ακόμη έλεγχος από εξωτερικό φορέα.',
    tell: 'Αν κάτι σας εμποδίζει',
    contact: 'Πείτε το στην τράπεζα. Τα στοιχεία επικοινωνίας είναι στο κάτω μέρος της σελίδας.',
    ask: 'Πείτε το στην τράπεζα, με τον τρόπο που επικοινωνείτε συνήθως μαζί της.',
  },
  en: {
    title: 'Accessibility statement',
    lead: 'It is about the pages on which you log in, approve or refuse what apps ask for, and see your permissions.',
    goal: 'Goal',
    goals: [
      'The pages follow WCAG 2.2 at level AA, on which the standard EN 301 549 is based.',
      'They work with the keyboard alone, without JavaScript, on a phone, enlarged, with dark colours and with colours of your own.',
      'Every colour with a meaning has a word or a sign beside it.',
    ],
    checked: 'How they are checked',
    checks:
      'Every version of the software is checked automatically in a real browser. There has been no external audit yet.',
    tell: 'If something stands in your way',
    contact: 'Tell the bank. The ways to reach it are at the foot of this page.',
    ask: 'Tell the bank, in the way you usually reach it.',
  },
} satisfies Record<Language, unknown>;

const A_DAY = { 'Cache-Control': 'public, max-age=86400' };

const Statement = ({ frame, lang }: { readonly frame: Frame; readonly lang: string }) => {
  const messages = frame.brand.texts.in('accessibility', accessibilityTexts, lang);
  const canTell = frame.brand.telephone ?? frame.brand.address('help', lang);
  return (
    <div class="stack">
      <div class="page-head">
        <h1>{messages.title}</h1>
        <p class="lead">{messages.lead}</p>
      </div>
      <h2>{messages.goal}</h2>
      <ul>
        {messages.goals.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <h2>{messages.checked}</h2>
      <p>{messages.checks}</p>
      <h2>{messages.tell}</h2>
      <p>{canTell ? messages.contact : messages.ask}</p>
    </div>
  );
};

export const createBankPages = (frame: () => Frame): readonly Page[] => [
  {
    method: 'GET',
    path: ACCESSIBILITY,
    audience: everybody,
    render: (request) => {
      const lang = pageLanguageOf(request, frame());
      const children = <Statement frame={frame()} lang={lang} />;
      return flowPage(
        {
          frame: frame(),
          lang,
          title: frame().brand.texts.in('accessibility', accessibilityTexts, lang).title,
          path: ACCESSIBILITY,
          children,
        },
        { cookies: languageCookies(request, frame()) },
      );
    },
  },
  ...frame().brand.assets.map(assetPage),
  // Asked for by browsers on their own, also for files such as PDF.
  {
    method: 'GET',
    path: '/favicon.ico',
    audience: everybody,
    render: () => {
      const { type, body } = frame().brand.favicon;
      return { status: 200, type, body, headers: A_DAY };
    },
  },
];
