/** For those who run the service: which document of the installation answers which question. */
import type { PageAnswer } from '../../http/pages.js';
import { Records } from '../../web/components/records.js';
import { htmlPage } from '../../web/components/shell.js';
import { Prose } from '../../web/components/text.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';

type Both = Readonly<Record<Language, string>>;

export interface BankDocument {
  /** In the installed package and in the repository. */
  readonly file: string;
  readonly about: Both;
}

interface Theme {
  readonly title: Both;
  readonly documents: readonly BankDocument[];
}

const document = (file: string, en: string, el: string): BankDocument => ({ file, about: { en, el } });

export const bankThemes: readonly Theme[] = [
  {
    title: { en: 'Decide', el: 'Απόφαση' },
    documents: [
      document('docs/security.md', 'Threats, and what stops each of them.', 'Οι απειλές και τι τις σταματά.'),
      document('docs/performance.md', 'How fast it is, and on what.', 'Πόσο γρήγορο είναι, και πού.'),
      document(
        'docs/compatibility.md',
        'What stays compatible from version to version.',
        'Τι μένει συμβατό από έκδοση σε έκδοση.',
      ),
    ],
  },
  {
    title: { en: 'Connect your core', el: 'Σύνδεση με το σύστημά σας' },
    documents: [
      document(
        'docs/core.md',
        'The fourteen operations that your core answers; `trapeza core-check` tries them.',
        'Οι δεκατέσσερις κλήσεις που απαντά το σύστημά σας· η εντολή `trapeza core-check` τις δοκιμάζει.',
      ),
      document(
        'docs/production-core.md',
        'Production with a core over HTTP.',
        'Παραγωγή με σύστημα μέσω HTTP.',
      ),
      document(
        'docs/production-module.md',
        'Production with a module in the same process.',
        'Παραγωγή με άρθρωμα στην ίδια διεργασία.',
      ),
      document(
        'docs/test-facility.md',
        'The test facility that RTS Art. 30(5) asks for.',
        'Το περιβάλλον δοκιμών που ζητά το άρθρο 30(5) των RTS.',
      ),
    ],
  },
  {
    title: { en: 'Run it', el: 'Λειτουργία' },
    documents: [
      document(
        'docs/go-live.md',
        'What to do before third parties call.',
        'Τι κάνετε πριν από την πρώτη κλήση.',
      ),
      document(
        'docs/operating.md',
        'Nodes, proxy, keys, alarms, recovery; `trapeza doctor` checks an installation.',
        'Κόμβοι, proxy, κλειδιά, συναγερμοί, αποκατάσταση· η εντολή `trapeza doctor` ελέγχει μια εγκατάσταση.',
      ),
      document('docs/configuration.md', 'Every setting.', 'Κάθε ρύθμιση.'),
      document(
        'docs/atm-import.md',
        'How a file of ATMs is published.',
        'Πώς δημοσιεύεται ένα αρχείο με ATM.',
      ),
    ],
  },
];

const texts = {
  el: {
    title: 'Για την τράπεζα',
    lead: 'Το Trapeza στέκεται ανάμεσα στις εφαρμογές και στο κεντρικό σας σύστημα: ελέγχει, ζητά την έγκριση του πελάτη και καταγράφει. Λογαριασμοί και χρήματα μένουν σε εσάς.',
    where: 'Τα έγγραφα είναι στα αγγλικά και έρχονται με κάθε εγκατάσταση, στον φάκελο `docs`.',
    columns: ['Έγγραφο', 'Τι απαντά'],
  },
  en: {
    title: 'For bank staff',
    lead: 'Trapeza stands between third parties and your core: it checks each call, asks your customer for approval, and keeps the record. Accounts and money stay with you.',
    where: 'These documents come with every installation, in its folder `docs`.',
    columns: ['Document', 'What it answers'],
  },
} as const satisfies Record<Language, unknown>;

export const banksPage = ({
  frame,
  lang,
}: {
  readonly frame: Frame;
  readonly lang: Language;
}): PageAnswer => {
  const { title, lead, where, columns } = texts[lang];
  return htmlPage({
    frame,
    lang,
    title,
    description: lead,
    path: '/banks',
    children: (
      <>
        <div class="page-head">
          <h1>{title}</h1>
          <p class="lead">{lead}</p>
          <p>
            <Prose text={where} />
          </p>
        </div>
        <div class="stack-wide">
          {bankThemes.map((theme) => (
            <section key={theme.title.en} class="stack">
              <h2>{theme.title[lang]}</h2>
              <Records
                caption={theme.title[lang]}
                shape="pairs"
                columns={columns}
                rows={theme.documents.map(({ file, about }) => ({
                  key: file,
                  cells: [<code key={file}>{file}</code>, <Prose key="about" text={about[lang]} />],
                }))}
              />
            </section>
          ))}
        </div>
      </>
    ),
  });
};
