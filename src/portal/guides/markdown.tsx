/**
 * Markdown as the parts of our pages: marked reads it, preact writes it and escapes everything. What has no part here, raw HTML
 * above all, is refused at the first rendering and so by the tests.
 */
import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { CodeBlock } from '../../web/components/code-block.js';
import { Records } from '../../web/components/records.js';
import { MarkedText } from '../../web/components/text.js';
import type { Language } from '../../web/language.js';
import { headingId } from '../twin/heading-id.js';
import { SequencePicture } from './sequence.js';

export interface MarkdownContext {
  readonly lang: Language;
  /** Where a link of the text leads on this service; undefined if there is no such place here. */
  link(href: string): string | undefined;
  /** Code as it is to be pasted here. */
  code(text: string): string;
}

const names = {
  el: {
    bash: 'Τερματικό',
    json: 'Απάντηση',
    text: 'Απάντηση',
    js: 'JavaScript',
    python: 'Python',
    http: 'HTTP',
    yaml: 'YAML',
  },
  en: {
    bash: 'Terminal',
    json: 'Answer',
    text: 'Answer',
    js: 'JavaScript',
    python: 'Python',
    http: 'HTTP',
    yaml: 'YAML',
  },
} as const satisfies Record<Language, unknown>;

const isNamed = (lang: string): lang is keyof (typeof names)['en'] => Object.hasOwn(names.en, lang);

const languageOf = (token: Token | undefined): string =>
  token?.type === 'code' ? ((token as Tokens.Code).lang ?? '') : '';
/** The guides are for the terminal; other languages are opened by those who want them, with what they print. */
const isFolded = (token: Token | undefined): boolean => ['js', 'python'].includes(languageOf(token));
const isAnswer = (token: Token | undefined): boolean => ['json', 'text'].includes(languageOf(token));

const unknownToken = (token: Token): Error =>
  new Error(`A guide has Markdown that no page shows: ${token.raw}`);

const Inline = ({
  tokens,
  context,
}: {
  readonly tokens: readonly Token[];
  readonly context: MarkdownContext;
}) => <>{tokens.map((token) => inlineOf(token, context))}</>;

const inlineOf = (token: Token, context: MarkdownContext): ComponentChildren => {
  const children = <Inline tokens={('tokens' in token && token.tokens) || []} context={context} />;
  switch (token.type) {
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? children : <MarkedText text={(token as Tokens.Text).text} />;
    case 'codespan':
      return <code>{context.code((token as Tokens.Codespan).text)}</code>;
    case 'strong':
      return <strong>{children}</strong>;
    case 'em':
      return <em>{children}</em>;
    case 'link': {
      const href = context.link((token as Tokens.Link).href);
      return href === undefined ? children : <a href={href}>{children}</a>;
    }
    default:
      throw unknownToken(token);
  }
};

const Code = ({
  token,
  answer,
  context,
}: {
  readonly token: Tokens.Code;
  readonly answer: Token | undefined;
  readonly context: MarkdownContext;
}) => {
  const { lang } = context;
  const language = token.lang ?? '';
  if (language === 'mermaid') return <SequencePicture text={token.text} lang={lang} id="sequence" />;
  if (!isNamed(language)) throw unknownToken(token);
  const block = <CodeBlock name={names[lang][language]} code={context.code(token.text)} />;
  if (!isFolded(token)) return block;
  return (
    <details class="more">
      <summary>{names[lang][language]}</summary>
      {block}
      {answer && blockOf(answer, context)}
    </details>
  );
};

const Table = ({ token, context }: { readonly token: Tokens.Table; readonly context: MarkdownContext }) => (
  <Records
    caption={token.header.map(({ text }) => text).join(', ')}
    shape={token.header.length === 2 ? 'pairs' : 'equal'}
    columns={token.header.map(({ text }) => text)}
    rows={token.rows.map((row) => ({
      key: row[0]?.text ?? '',
      cells: row.map(({ text, tokens }) => <Inline key={text} tokens={tokens} context={context} />),
    }))}
  />
);

const List = ({ token, context }: { readonly token: Tokens.List; readonly context: MarkdownContext }) => {
  const items = token.items.map((item) => (
    <li key={item.raw}>
      <Blocks tokens={item.tokens} context={context} />
    </li>
  ));
  return token.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
};

const blockOf = (token: Token, context: MarkdownContext, answer?: Token): ComponentChildren => {
  switch (token.type) {
    case 'heading': {
      const { depth, text, tokens } = token as Tokens.Heading;
      const children = <Inline tokens={tokens} context={context} />;
      const id = headingId(text);
      return depth === 2 ? <h2 id={id}>{children}</h2> : <h3 id={id}>{children}</h3>;
    }
    case 'paragraph':
      return (
        <p>
          <Inline tokens={(token as Tokens.Paragraph).tokens} context={context} />
        </p>
      );
    case 'code':
      return <Code token={token as Tokens.Code} answer={answer} context={context} />;
    case 'table':
      return <Table token={token as Tokens.Table} context={context} />;
    case 'list':
      return <List token={token as Tokens.List} context={context} />;
    default:
      return inlineOf(token, context);
  }
};

const Blocks = ({
  tokens,
  context,
}: {
  readonly tokens: readonly Token[];
  readonly context: MarkdownContext;
}) => (
  <>
    {tokens
      .filter(({ type }) => type !== 'space')
      .map((token, index, all) => {
        if (isFolded(all[index - 1]) && isAnswer(token)) return null;
        const next = all[index + 1];
        return blockOf(token, context, isAnswer(next) ? next : undefined);
      })}
  </>
);

export const Markdown = ({ text, context }: { readonly text: string; readonly context: MarkdownContext }) => (
  <Blocks tokens={lexer(text)} context={context} />
);
