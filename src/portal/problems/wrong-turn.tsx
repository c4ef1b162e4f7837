/**
 * Problems as people meet them: a page with a way on, in their language. Programs, and everybody on a path of the API, get
 * the contract's body instead; an address with a slash too many leads to its page.
 */
import Negotiator from 'negotiator';
import type { Exchange } from '../../http/exchange.js';
import type { Operation, Reply } from '../../http/operation.js';
import { replyOf } from '../../http/page-policy.js';
import { seeOther } from '../../http/pages.js';
import { pathOf } from '../../http/router.js';
import type { Problem } from '../../problem/problem.js';
import { flowPage } from '../../web/components/flow-shell.js';
import type { Frame } from '../../web/frame.js';
import { hintsOf, type Language, ownLanguage, pageLanguageOf } from '../../web/language.js';
import { reasonOf, wrongTurnTexts } from './wrong-turn-texts.js';

interface Link {
  readonly path: string;
  readonly names: Readonly<Record<Language, string>>;
}

export interface WrongTurnParts {
  readonly frame: () => Frame;
  readonly operations: readonly Operation[];
  /** The paths of all pages that can be opened. */
  readonly pagePaths: readonly string[];
  /** The operator console, on its own listener. */
  readonly console?: Link;
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);

const isReading = ({ request }: Exchange): boolean => request.method === 'GET' || request.method === 'HEAD';

const prefersHtml = ({ request }: Exchange): boolean =>
  new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';

const textsIn = ({ brand }: Frame, lang: string) => brand.texts.in('wrongTurn', wrongTurnTexts, lang);

interface Place {
  readonly path: string;
  readonly name: string;
}

interface View {
  readonly lang: string;
  readonly problem: Problem;
  readonly requestId: string;
}

const placesOf = (
  { frame, pagePaths, console }: WrongTurnParts,
  { lang, problem }: View,
): readonly Place[] => {
  const { home, docs, dashboard, status } = textsIn(frame(), lang).places;
  // Nothing else is open.
  if (reasonOf(problem) === 'maintenance') return [{ path: '/status', name: status }];
  const places: readonly Place[] = [
    { path: '/', name: home },
    { path: '/docs', name: docs },
    { path: '/dashboard', name: dashboard },
  ];
  const added: readonly Link[] = console ? [console] : (frame().additions?.links ?? []);
  return [
    ...places.filter(({ path }) => pagePaths.includes(path)),
    ...added.map(({ path, names }) => ({ path, name: names[ownLanguage(lang)] })),
  ];
};

const wrongTurnPage = (parts: WrongTurnParts, view: View): Reply => {
  const { lang, problem, requestId } = view;
  const frame = parts.frame();
  const texts = textsIn(frame, lang);
  const reason = reasonOf(problem);
  const { title, text } = texts.reasons[reason];
  const children = (
    <div class="outcome card notice">
      <span class="outcome-sign" aria-hidden="true">
        !
      </span>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      {reason === 'fault' && (
        <p>
          {texts.number} <code>{requestId}</code>
        </p>
      )}
      <ul class="plain places">
        {placesOf(parts, view).map(({ path, name }) => (
          <li key={path}>
            <a href={frame.href(path)}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  );
  // The address may be anybody's words, so the switch of languages leads to none but our own.
  const path = parts.console?.path ?? '/';
  const isForDevelopers = parts.console !== undefined;
  return replyOf(
    flowPage({ frame, lang, title, path, isForDevelopers, children }, { status: problem.kind.status }),
  );
};

export const createWrongTurns = (
  parts: WrongTurnParts,
): ((exchange: Exchange, problem: Problem) => Reply | undefined) => {
  const { frame, operations, pagePaths } = parts;
  const areas = new Set(
    operations.filter(({ area }) => typeof area === 'string').map(({ path }) => path.split('/')[1]),
  );
  const controls = operations.map(({ path }) => patternOf(path));
  const isApi = (path: string): boolean =>
    areas.has(path.split('/')[1]) || controls.some((pattern) => pattern.test(path));
  const readable = [
    ...pagePaths,
    ...operations.filter(({ method }) => method === 'GET').map(({ path }) => path),
  ];
  const patterns = readable.map(patternOf);

  return (exchange, problem) => {
    if (exchange.operation || !prefersHtml(exchange)) return undefined;
    const [path = '', search = ''] = pathOf(exchange.request.url ?? '').split('?');
    // A form comes from a page; any other request that leads nowhere and changes something is a program's.
    if (path === '' || isApi(path) || !(isReading(exchange) || exchange.mount)) return undefined;
    const whole = path.replace(/\/+$/, '');
    if (isReading(exchange) && whole !== path && patterns.some((pattern) => pattern.test(whole)))
      return replyOf(seeOther(`${frame().href(whole)}${search === '' ? '' : `?${search}`}`));
    const { requestId } = exchange;
    return wrongTurnPage(parts, {
      lang: pageLanguageOf(hintsOf(exchange.request), frame()),
      problem,
      requestId,
    });
  };
};
