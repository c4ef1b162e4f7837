/** Commands of acts and lists, as their definitions say: arguments, options, what they print, and an example in their help. */
import type { Command } from 'commander';
import { type ActCommand, type AnyAct, thingOf, verbOf } from '../acts/act.js';
import type { Field, Place } from '../acts/field.js';
import type { AnyList } from '../acts/list.js';
import { isList, type Module } from '../acts/methods.js';
import { Refusal } from '../acts/refusal.js';
import { runAct } from '../acts/run-act.js';
import { format, parseTemplate } from '../lib/format/template.js';
import { DerivedCommand } from './examples.js';
import { CommandError, type JsonFlag, printJson, printOutcome, printTable } from './output.js';
import { type ReasonFlag, withContext, withReason } from './store.js';

type Flags = Readonly<Record<string, string | undefined>> & ReasonFlag & JsonFlag;

/** Without what it takes, such as `--from`. */
const flagOf = ({ option }: Field): string => option?.[0].split(' ', 1)[0] ?? '';

const inputFrom = ({ input: fields }: AnyAct, flags: Flags, place: Place): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const text = flags[flagOf(field).slice('--'.length)];
      if (text === undefined) return [];
      const value = field.fromOption(text, place);
      if (value === undefined) throw new CommandError(`${flagOf(field)}: "${text}" is not ${field.expected}`);
      return [[name, value]];
    }),
  );

/** Says by its option what is wrong, as the page does beside its field. */
const namingOption =
  ({ input }: AnyAct) =>
  (error: unknown): never => {
    const field = error instanceof Refusal && error.field !== undefined ? input[error.field] : undefined;
    throw field ? new CommandError(`${flagOf(field)}: ${(error as Refusal).message}`) : error;
  };

const doAct = (act: AnyAct, { says }: ActCommand, given: string, flags: Flags): Promise<void> =>
  withContext(async (context) => {
    const place = { timeZone: context.config.timeZone, now: context.clock.now() };
    const made = await runAct(context, act, given, inputFrom(act, flags, place)).catch(namingOption(act));
    const id = given || String(made);
    printOutcome(flags, { id }, format(parseTemplate(says), { id, result: String(made) }, 'en'));
  }, flags);

const commandOf = (act: AnyAct, about: ActCommand): Command => {
  const command = withReason(new DerivedCommand(verbOf(act), [about.example])).description(about.help);
  for (const { option, isOptional } of Object.values(act.input))
    if (option) command[isOptional ? 'option' : 'requiredOption'](...option);
  if (!about.id)
    return command.option('--json', 'print JSON').action((flags: Flags) => doAct(act, about, '', flags));
  const [name, help] = about.id;
  return command
    .argument(`<${name}>`, help)
    .action((id: string, flags: Flags) => doAct(act, about, id, flags));
};

const listCommandOf = ({ name, command: { help, empty }, rows, line, facts = line }: AnyList): Command =>
  new DerivedCommand(verbOf({ name }), ['--json'])
    .description(help)
    .option('--json', 'print JSON')
    .action(({ json }: JsonFlag) =>
      withContext(async (context) => {
        const found = await rows(context);
        if (json) printJson(found.map((row) => facts(row)));
        else
          printTable(
            found.map((row) => line(row)),
            empty,
          );
      }),
    );

/** Those of a module about things of this kind. */
export const addDerived = (group: Command, module: Module, thing = group.name()): Command => {
  for (const each of Object.values(module)) {
    if (thingOf(each) !== thing) continue;
    const command = isList(each) ? listCommandOf(each) : each.command && commandOf(each, each.command);
    if (command) group.addCommand(command.copyInheritedSettings(group));
  }
  return group;
};
