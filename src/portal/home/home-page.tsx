/** The landing page: what this service is, for whom, and the ways on. */
import type { PageAnswer } from '../../http/pages.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import type { AreaView } from '../areas.js';
import { homeTexts } from './home-texts.js';
import { Parties } from './parties.js';

export interface HomeProps {
  readonly frame: Frame;
  readonly lang: Language;
  readonly areas: readonly AreaView[];
  readonly bankName: string;
  /** A way leads only to pages that this service has. */
  readonly hasPage: (path: string) => boolean;
}

const Ways = ({ frame, lang, hasPage }: HomeProps) => (
  <ul class="ways-on">
    {homeTexts[lang].ways.map(({ title, text, links }) => {
      const [first, ...others] = links.filter(({ path }) => hasPage(path));
      return (
        first && (
          <li key={title} class="card">
            <h2>{title}</h2>
            <p class="quiet">{text}</p>
            <p class="way-links">
              {[first, ...others].map(({ path, name }, index) => (
                <a key={path} class={index === 0 ? 'button' : 'button second'} href={frame.href(path)}>
                  {name}
                </a>
              ))}
            </p>
          </li>
        )
      );
    })}
  </ul>
);

const Opening = (props: HomeProps) => {
  const { heading, sentence } = homeTexts[props.lang];
  return (
    <div class="opening">
      <div class="width-page">
        <div class="words">
          <h1>{heading(props.bankName)}</h1>
          <p class="lead">{sentence}</p>
        </div>
        <Ways {...props} />
        <Parties lang={props.lang} />
      </div>
    </div>
  );
};

const Areas = ({ frame, lang, areas }: HomeProps) => (
  <section class="stack" aria-labelledby="areas">
    <h2 id="areas">{homeTexts[lang].offers}</h2>
    <ul class="card-grid pairs">
      {areas
        .filter(({ demand }) => demand !== undefined)
        .map((area) => {
          const { title, audience, purpose } = homeTexts[lang].areas[area.id] ?? area;
          return (
            <li key={area.id} class="card">
              <p class="quiet small">{audience}</p>
              <h3>
                <a href={frame.href(area.path)}>{title}</a>
              </h3>
              <p>{purpose}</p>
            </li>
          );
        })}
    </ul>
  </section>
);

const BeforeFirstCall = ({ frame, lang }: Pick<HomeProps, 'frame' | 'lang'>) => {
  const { heading, steps, credentials, signatures } = homeTexts[lang].before;
  const links = [
    undefined,
    undefined,
    ['/docs#credentials', credentials],
    ['/docs/guides/signatures', signatures],
  ];
  return (
    <section class="stack" aria-labelledby="first-call">
      <h2 id="first-call">{heading}</h2>
      <ol class="steps">
        {steps.map((step, index) => {
          const [path, name] = links[index] ?? [];
          return (
            <li key={step}>
              <p>
                {step} {path && <a href={frame.href(path)}>{name}</a>}
              </p>
            </li>
          );
        })}
      </ol>
    </section>
  );
};

const WhereNext = ({ frame, lang }: Pick<HomeProps, 'frame' | 'lang'>) => {
  const { next, places } = homeTexts[lang];
  const added = (frame.additions?.links ?? []).map(({ path, names, about }) => ({
    path,
    name: names[lang],
    text: about[lang],
  }));
  return (
    <section class="stack" aria-labelledby="next">
      <h2 id="next">{next}</h2>
      <ul class="card-grid">
        {[...added, ...places].map(({ path, name, text }) => (
          <li key={path}>
            <a class="card card-link" href={frame.href(path)}>
              <strong>{name}</strong>
              <p class="quiet">{text}</p>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};

export const homePage = (props: HomeProps): PageAnswer => {
  const { frame, lang, bankName } = props;
  const { heading, sentence, name } = homeTexts[lang];
  return htmlPage({
    frame,
    lang,
    title: heading(bankName),
    description: sentence,
    path: '/',
    opening: <Opening {...props} />,
    children: (
      <div class="stack-wide">
        <Areas {...props} />
        {frame.additions?.firstSteps?.(frame, lang) ?? <BeforeFirstCall frame={frame} lang={lang} />}
        <WhereNext frame={frame} lang={lang} />
        <p class="quiet small">
          {name.before}
          <span lang="el">τράπεζα</span>
          {name.after}
        </p>
      </div>
    ),
  });
};
