/** `trapeza openapi` and `trapeza docs`: what is generated from the code. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandbox } from '../../packages/sandbox/src/sandbox.js';
import {
  configurationDocument,
  coreOpenApiText,
  openApiText,
  problemsDocument,
} from '../../src/documents.js';
import { cleanUp, jsonOf, runCommand, tempFolder } from './program.js';

afterAll(cleanUp);

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, unknown>>;
}

describe('openapi', () => {
  it('prints the document of the sandbox, or without its controls', async () => {
    const [full, production] = await Promise.all([
      runCommand(['openapi']),
      runCommand(['openapi', '--production']),
    ]);
    expect(full.stdout).toBe(openApiText(sandbox));
    expect(production.stdout).toBe(openApiText());
    expect(jsonOf<OpenApi>(full).openapi).toMatch(/^3\.1\./);
    const isControl = (path: string): boolean => path.startsWith('/sandbox');
    const [all, own] = [full, production].map((each) => Object.keys(jsonOf<OpenApi>(each).paths));
    expect(all?.some(isControl)).toBe(true);
    expect(own).toEqual(all?.filter((path) => !isControl(path)));
    expect(production.stdout).not.toMatch(/sandbox/i);
  });
});

describe('docs', () => {
  it('writes the generated documents into a folder it makes', async () => {
    const folder = join(tempFolder(), 'new', 'docs');
    const { code, stdout } = await runCommand(['docs', '--out', folder]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Written to ${folder}: `);
    expect(readdirSync(folder).toSorted()).toEqual([
      'acts.md',
      'configuration.md',
      'core-openapi.json',
      'logs.md',
      'openapi.json',
      'parity.md',
      'problems.md',
      'settings.schema.json',
    ]);
    expect(readFileSync(join(folder, 'core-openapi.json'), 'utf8')).toBe(coreOpenApiText());
    expect(readFileSync(join(folder, 'configuration.md'), 'utf8')).toBe(configurationDocument());
    expect(readFileSync(join(folder, 'problems.md'), 'utf8')).toBe(problemsDocument());
    expect(readFileSync(join(folder, 'openapi.json'), 'utf8')).toBe(openApiText());
  });
});
