/** One ATM: what people ask, and the JSON that an application gets. */
import type { PageAnswer } from '../../http/pages.js';
import { undisguised } from '../../lib/format/undisguised.js';
import { type Fact, Summary } from '../../web/components/blocks.js';
import { CodeBlock, jsonText } from '../../web/components/code-block.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import { addressText, headingOf, namesIn } from './atms-page.js';
import type { Entry } from './book.js';
import { messages } from './messages.js';

export interface AtmPageProps {
  readonly frame: Frame;
  readonly lang: Language;
  readonly entry: Entry;
}

const factsOf = ({ atm }: Entry, lang: Language): readonly Fact[] => {
  const { details } = messages[lang];
  const fact = (name: string, value: string | null | undefined): Fact => ({
    name,
    value: value ? undisguised(value) : details.unknown,
  });
  return [
    fact(details.address, addressText(atm)),
    fact(details.services, namesIn(atm, 'service', lang)),
    fact(details.access, namesIn(atm, 'access', lang)),
    fact(details.currencies, namesIn(atm, 'currency', lang)),
    fact(details.languages, namesIn(atm, 'language', lang)),
    fact(details.telephone, atm.telephoneNumber),
    fact(details.location, atm.geographicLocation),
    fact(details.code, atm.atmid),
    ...(atm.description ? [fact(details.description, atm.description)] : []),
  ];
};

export const atmPage = ({ frame, lang, entry }: AtmPageProps): PageAnswer => {
  const { atm } = entry;
  const texts = messages[lang];
  const title = headingOf(atm);
  const children = (
    <div class="stack-wide">
      <p class="trail">
        <a href={frame.href('/atms')}>{texts.back}</a>
      </p>
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      <Summary facts={factsOf(entry, lang)} />
      <details class="more">
        <summary>{texts.json}</summary>
        <div>
          <CodeBlock name="JSON" code={jsonText(atm).split('\n').map(undisguised).join('\n')} />
        </div>
      </details>
      <p>
        <a href={frame.href('/docs/opendata')}>{texts.reference}</a>
      </p>
    </div>
  );
  return htmlPage({ frame, lang, title, description: addressText(atm), path: `/atms/${atm.id}`, children });
};
