/** The documents that are generated from the code, so that they cannot drift from it. */

import { type AnyAct, thingOf, verbOf } from './acts/act.js';
import { isAmong, operatorRoles } from './acts/role.js';
import { actText } from './acts/texts.js';
import { derivedActs } from './admin/derived.js';
import { eventWebhook } from './api/events/webhook.js';
import { createApi, createOrderApi } from './api/index.js';
import { createRegistrationApi } from './api/registration/operations.js';
import type { Extension } from './app/extension.js';
import { coreOpenApiDocument } from './bank/http/contract/openapi.js';
import { isExpert, settings } from './config/config.js';
import { variablesOf } from './config/given.js';
import { openApiDocument } from './http/openapi.js';
import type { Operation } from './http/operation.js';
import { commonMembers, errorMembers, logLines } from './observe/log-lines.js';
import { advices } from './problem/advice.js';
import { extensionMeanings, extensionNames } from './problem/extensions.js';
import { fieldCodes } from './problem/field.js';
import { type ProblemKind, problems, problemsWith } from './problem/problem.js';
import { version } from './version.js';

/** Operations that are described, never called: their parts are not needed. */
const described = <T>(create: (parts: never) => T): T => create({} as never);

/** With what an extension adds. */
export const describedOperations = (extension?: Extension): readonly Operation[] => {
  const api = [...described(createApi), ...described(createOrderApi), ...described(createRegistrationApi)];
  return extension?.describe(api) ?? api;
};

export const openApiText = (extension?: Extension): string =>
  `${JSON.stringify(openApiDocument(describedOperations(extension), { version, webhooks: [eventWebhook] }), null, 2)}\n`;

/** What a bank implements, so that this service can stand in front of its core. */
export const coreOpenApiText = (): string => `${JSON.stringify(coreOpenApiDocument(version), null, 2)}\n`;

const cell = (text: string): string => text.replace(/\|/g, '\\|');

/** The settings of banks, or those of experts. */
const settingRows = (areForExperts: boolean): string =>
  Object.entries(settings)
    .filter(([name]) => isExpert(name) === areForExperts)
    .map(([, each]) => {
      const { fallback, shown, doc } = each;
      const names = variablesOf(each).map((name) => `\`${name}\``);
      const value = shown ?? (fallback === undefined ? 'none' : `\`${String(fallback)}\``);
      return `| ${names.join(', ')} | ${cell(value)} | ${cell(doc)} |`;
    })
    .join('\n');

export const configurationDocument = (): string => {
  return `# Configuration

All settings are environment variables; an empty one counts as absent. An unknown name that starts with \`TRAPEZA_\` is an
error, so a misspelt setting is never silently ignored.

A setting that holds a secret can be kept out of the environment: \`NAME_FILE\` names a file with its value, and a systemd credential
\`NAME\` (\`LoadCredential=TRAPEZA_SECRET:/etc/trapeza/secret\`) is found by itself. Give each secret in one of the three ways. One line feed
at the end of the file is left out. Files are read at the start.

This page is generated from \`src/config/config.ts\` by \`npm run docs\`. \`trapeza settings\` prints what is in force, as does the console.

## What a bank decides

| Variable | Default | Meaning |
|---|---|---|
${settingRows(false)}

## For experts

Each is right as it is nearly everywhere. Change one for a reason; \`trapeza doctor\` names those that are changed.

| Variable | Default | Meaning |
|---|---|---|
${settingRows(true)}
`;
};

const code = (text: string): string => `\`${text}\``;

const actRow = ([method, act]: readonly [string, AnyAct]): string => {
  const { name, about, roles, texts, input, audited = [], facts, page, command } = act;
  const given = [...(about === 'new' ? [] : ['id']), ...(Object.keys(input).length > 0 ? ['input'] : [])];
  const cells = [
    code(name),
    command?.help ?? actText(texts, 'en', name),
    ...operatorRoles.map((role) => (isAmong(roles, role) ? 'yes' : '–')),
    act.needsTwo ? 'yes' : '–',
    page ? code(page.path) : '–',
    command ? code(`trapeza ${command.below ?? thingOf(act)} ${verbOf(act)}`) : '–',
    code(`${method}(${given.join(', ')})`),
    [...audited.map(code), ...(facts ? ['facts'] : [])].join(', ') || '–',
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
};

/** Of those that are values. */
export const actsDocument = (): string => {
  const rows = derivedActs.toSorted(([, a], [, b]) => (a.name < b.name ? -1 : 1)).map(actRow);
  const heads = [
    ...['Act', 'What it does', ...operatorRoles, 'Second person'],
    ...['Console', 'Command', 'Method', 'The audit log keeps'],
  ];
  return `# Acts

What the bank's people do, who may, and where. Each act is one transaction with its row in the audit log: who, why, what it is about, and
what the last column names. In the console every act asks for a reason, and the role is that of the login; a command and a program that embeds
the service decide for themselves who calls them. An act that needs a second person is proposed by one and confirmed by another
([operating](operating.md#operator-console)); a suspension does only if it has no end.

This page is generated from the definitions of the acts by \`npm run docs\`. It grows: acts that are not in it yet are in
\`trapeza --help\`.

| ${heads.join(' | ')} |
|${'---|'.repeat(heads.length)}
${rows.join('\n')}
`;
};

const memberRows = (members: Readonly<Record<string, string>>): string =>
  Object.entries(members)
    .map(([name, about]) => `| \`${name}\` | ${cell(about)} |`)
    .join('\n');

export const logsDocument = (): string => {
  const rows = Object.entries(logLines).map(([name, { about, members }]) => {
    const named = members.map((member) => `\`${member}\``).join(', ');
    return `| \`${cell(name)}\` | ${named} | ${cell(about)} |`;
  });
  return `# Logs

Each line on the standard output is one JSON object, and nothing else is written there or on the standard error while the service runs: what Node, a library or a
module of the bank prints is the line \`console\` or \`process warning\`. A command that is refused before the service starts says why in words, on the standard error.
No line has a body, a key, a token, an IBAN, a card number or the name of a person. This page is generated from \`src/observe/log-lines.ts\` by
\`npm run docs\`, and the tests compare every line that they cause with it.

\`requestId\` is the X-Request-ID of the caller, \`coreRequestId\` the one that the core was sent: the line \`core\` has both if a third party's call asked, and so have the lines of a call and of a page that failed by the core. \`problem\` has the same names as the
metrics and [problems](problems.md).

## Members of every line

| Member | What it is |
|---|---|
${memberRows(commonMembers)}

## Members of lines about a failure

| Member | What it is |
|---|---|
${memberRows(errorMembers)}

## Lines

| \`msg\` | Members | What it means |
|---|---|---|
${rows.join('\n')}
`;
};

/** For editors and pipelines that check an environment before it is used. */
export const settingsSchemaText = (): string => {
  const members = Object.entries(settings).flatMap(([name, setting]) => {
    const { parse, fallback, doc } = setting;
    const [variable = '', file] = variablesOf(setting);
    const value = {
      ...(parse.schema ?? { type: 'string' }),
      ...(typeof fallback === 'string' || typeof fallback === 'number' ? { default: fallback } : {}),
      description: doc,
      ...(isExpert(name) ? { 'x-expert': true } : {}),
    };
    const path = { type: 'string', description: `File with the value of ${variable}, instead of it.` };
    return [[variable, value] as const, ...(file === undefined ? [] : [[file, path] as const])];
  });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of Trapeza',
    type: 'object',
    properties: Object.fromEntries(members) as object,
    patternProperties: { [`^TRAPEZA_(?!(${names()})$)`]: false },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
};

/** What may follow the prefix. */
const names = (): string =>
  Object.values(settings)
    .flatMap(variablesOf)
    .flatMap((name) => (name.startsWith('TRAPEZA_') ? [name.slice('TRAPEZA_'.length)] : []))
    .join('|');

const problemKinds: readonly (readonly [string, ProblemKind])[] = Object.entries(problems);

const problemRow = ([slug, { status, code, advice, exception }]: readonly [string, ProblemKind]): string => {
  const retry = advices[advice].isRetryable ? 'yes' : 'no';
  const otherwise = exception ? `; \`${exception.advice}\` if ${exception.when}` : '';
  return `| [${slug}](#${slug}) | ${status} | \`${code}\` | ${retry} | \`${advice}\`${otherwise} |`;
};

export const problemsDocument = (): string => {
  const advice = Object.entries(advices).map(
    ([name, { isRetryable, text }]) => `| \`${name}\` | ${isRetryable ? 'yes' : 'no'} | ${text} |`,
  );
  const members = Object.entries(fieldCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const facts = extensionNames.map((name) => {
    const slugs = problemsWith(name).map((slug) => `[${slug}](#${slug})`);
    return `| \`${name}\` | ${cell(extensionMeanings[name])} | ${slugs.join(', ')} |`;
  });
  const sections = problemKinds.map(
    ([slug, { status, title, when, remedy }]) =>
      `## ${slug}\n\n**${status} ${title}**\n\n${when} ${remedy}\n`,
  );
  return `# Problems

Every error of the interface is one of these. The service has the same text on \`/problems/<slug>\`, which is the \`type\` of
the error body. This page is generated from \`src/problem/\` by \`npm run docs\`.

Code reads the last segment of \`type\`, the slug. It never changes; the address before it is that of the bank. Or it reads
\`extensions.error\`: the \`code\`, whether the same request can succeed (\`retryable\`, then there is a \`Retry-After\`), and what
to do (\`advice\`). No two problems share a code, except \`FORMAT_ERROR\`; some answers have a more exact one, such as
\`CERTIFICATE_EXPIRED\` or \`PERIOD_INVALID\`.

## What a client does

| Advice | Retryable | What to do |
|---|---|---|
${advice.join('\n')}

## What is wrong with a member

A 400 names members, headers and parameters in \`errors\`, with sentences for people. \`extensions.errors\` has the same names and in
the same order a \`code\` for each sentence, with facts: \`{ "creditorName": [{ "code": "too-long", "max": 70 }] }\`.

| Code | Meaning |
|---|---|
${members.join('\n')}

## What else extensions have

Beside \`error\` and \`errors\`, some problems have facts of their own. Their schemas are in [openapi.json](openapi.json), as
\`Extensions\`.

| Member | What it has | Problems |
|---|---|---|
${facts.join('\n')}

## All problems

| Type | Status | Code | Retryable | Advice |
|---|---|---|---|---|
${problemKinds.map(problemRow).join('\n')}

${sections.join('\n')}`;
};
