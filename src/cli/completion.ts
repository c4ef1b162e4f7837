/** `trapeza completion`: what a shell offers at the Tab key, written from the commands themselves. */
import { Argument, type Command } from 'commander';
import { print } from './output.js';

/** What may come after a command or after an option with a value; without choices the shell offers files. */
const wordsAfter = (command: Command, path = ''): [string, readonly string[]][] => {
  const names = command.commands.map((each) => each.name());
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const flags = [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  return [
    [path, [...names, ...choices, ...flags]],
    ...command.options
      .filter(({ required, optional }) => required || optional)
      .map(({ long, argChoices }): [string, readonly string[]] => [`${path} ${long}`, argChoices ?? []]),
    ...command.commands.flatMap((each) => wordsAfter(each, `${path} ${each.name()}`)),
  ];
};

/** What bash and zsh share: the words after a place, and the place that the words typed so far lead to. */
const posix = (table: readonly [string, readonly string[]][]): string => `_trapeza_words() {
  case "$1" in
${table.map(([path, words]) => `    '${path}') echo '${words.join(' ')}' ;;`).join('\n')}
    *) return 1 ;;
  esac
}
_trapeza_place() {
  local place='' word
  for word in "$@"; do
    place="\${place%% -*}"
    if _trapeza_words "$place $word" > /dev/null; then place="$place $word"; fi
  done
  _trapeza_words "$place"
}`;

const fishCase = ([path, offered]: readonly [string, readonly string[]]): string => {
  const list = offered.length === 0 ? 'true' : `printf '%s\\n' ${offered.join(' ')}`;
  return `    case '${path}'\n      ${list}`;
};

const scripts: Readonly<Record<string, (table: readonly [string, readonly string[]][]) => string>> = {
  bash: (table) => `${posix(table)}
_trapeza() {
  COMPREPLY=($(compgen -W "$(_trapeza_place "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _trapeza trapeza`,
  zsh: (table) => `${posix(table)}
_trapeza() {
  local offered="$(_trapeza_place "\${(@)words[2,CURRENT-1]}")"
  if [[ -n "$offered" ]]; then compadd -- \${=offered}; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _trapeza trapeza`,
  fish: (table) => `function __trapeza_words
  switch "$argv[1]"
${table.map(fishCase).join('\n')}
    case '*'
      return 1
  end
end
function __trapeza
  set -l place ''
  for word in (commandline -opc)[2..]
    set place (string replace -r ' -.*' '' -- "$place")
    __trapeza_words "$place $word" > /dev/null; and set place "$place $word"
  end
  set -l offered (__trapeza_words "$place")
  if test -n "$offered"
    printf '%s\\n' $offered
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c trapeza -f -a '(__trapeza)'`,
};

export const registerCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('print what makes a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action((shell: string) => print(scripts[shell]?.(wordsAfter(program)) ?? ''));
};
