/** `trapeza brand`: whether the bank's own look is right, and all pages in it. */
import type { Command } from 'commander';
import { createCatalogue } from '../app/page-texts.js';
import { ConfigError, readConfig } from '../config/config.js';
import { adviceFor } from '../web/brand/advice.js';
import type { Brand } from '../web/brand/brand.js';
import { contrastsOf, contrastText } from '../web/brand/colours.js';
import { brandMembers, readBrand } from '../web/brand/read-brand.js';
import { languages } from '../web/language.js';
import { type Finding, finding, lineOf } from './doctor/finding.js';
import { CommandError, type JsonFlag, print, printJson } from './output.js';
import { previewBrand } from './wings.js';

const folderOf = (named: string | undefined): string => {
  const folder = named ?? readConfig().brand;
  if (folder === undefined)
    throw new CommandError('name the folder with brand.json, or set TRAPEZA_BRAND. docs/brand.md shows one.');
  return folder;
};

const open = (folder: string): Brand => readBrand(folder, createCatalogue(), readConfig().bankName);

const goodFindings = (brand: Brand): readonly Finding[] => [
  finding('name', 'ok', brand.texts.languages.map((lang) => `${brand.name(lang)} (${lang})`).join(', ')),
  ...contrastsOf(brand.colours ?? {}).map((each) => finding(each.path, 'ok', contrastText(each))),
  ...adviceFor(brand).map(({ member, text }) => finding(member, 'warning', text)),
];

const PREFIX = 'TRAPEZA_BRAND: ';

/** A fault begins with the member or the file that it is about, unless there is no brand at all. */
const badFinding = (fault: string): Finding => {
  const [, check = '', detail = ''] = /^([\w./]+):? (.*)$/s.exec(fault) ?? [];
  const [root = ''] = check.split(/[./]/);
  return [...brandMembers, 'texts'].includes(root)
    ? finding(check, 'failed', detail)
    : finding('brand.json', 'failed', fault);
};

const findingsOf = (folder: string): readonly Finding[] => {
  try {
    return goodFindings(open(folder));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((fault) => badFinding(fault.replace(PREFIX, '')));
  }
};

const check = (named: string | undefined, { json }: JsonFlag): void => {
  const findings = findingsOf(folderOf(named));
  const isGood = findings.every(({ verdict }) => verdict !== 'failed');
  if (json) printJson({ isGood, findings });
  else for (const each of findings) print(lineOf(each));
  if (!isGood) process.exitCode = 1;
};

const preview = async (named: string | undefined, { out }: { readonly out: string }): Promise<void> => {
  const folder = folderOf(named);
  const brand = open(folder);
  const file = await previewBrand({ brand, folder, out, tell: (line) => console.error(line) });
  print(`Open ${file} in a browser.`);
};

const printTexts = (lang: string): void => {
  const language = languages.find((each) => each === lang);
  if (language === undefined) throw new CommandError(`we have texts in ${languages.join(' and ')}`);
  printJson(
    Object.fromEntries(
      createCatalogue()
        .entries(language)
        .map(({ key, text }) => [key, text]),
    ),
  );
};

export const registerBrand = (program: Command): void => {
  const brand = program.command('brand').description("the bank's own look: check it, see all pages in it");
  const folder = ['[folder]', 'folder with brand.json (default: TRAPEZA_BRAND)'] as const;
  brand
    .command('check')
    .description('say what the service would refuse, with figures, and what is missing')
    .argument(...folder)
    .option('--json', 'print JSON')
    .action(check);
  brand
    .command('texts')
    .description('print our own texts of the pages for account holders, for a file of your own')
    .argument('<language>', languages.join(' or '))
    .action(printTexts);
  brand
    .command('preview')
    .description(
      'write every page for account holders to files: all languages, phone and desktop, light and dark',
    )
    .argument(...folder)
    .option('--out <folder>', 'where to write', 'brand-preview')
    .action(preview);
};
