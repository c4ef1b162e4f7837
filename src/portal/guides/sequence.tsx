/**
 * Who calls whom, as a picture. The text is the sequence diagram of Mermaid, which code hosts draw themselves; of its language we
 * know participants and arrows. One drawing fits a phone and a desk: labels are broken at a width that is legible on both.
 */
import type { Language } from '../../web/language.js';

interface Message {
  readonly from: number;
  readonly to: number;
  /** A dashed arrow: the answer to a call. */
  readonly isReply: boolean;
  readonly text: string;
}

interface Sequence {
  readonly participants: readonly string[];
  readonly messages: readonly Message[];
}

const PARTICIPANT = /^participant (\w+) as (.+)$/;
const MESSAGE = /^(\w+)(-?->>)(\w+): (.+)$/;

const parseSequence = (text: string): Sequence => {
  const names = new Map<string, string>();
  const messages: Message[] = [];
  const indexOf = (id = ''): number => [...names.keys()].indexOf(id);
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '' || line === 'sequenceDiagram') continue;
    const [, id, name] = PARTICIPANT.exec(line) ?? [];
    const [, from, arrow, to, label] = MESSAGE.exec(line) ?? [];
    if (id && name) names.set(id, name);
    else if (label && indexOf(from) >= 0 && indexOf(to) >= 0)
      messages.push({
        from: indexOf(from),
        to: indexOf(to),
        isReply: arrow?.startsWith('--') ?? false,
        text: label,
      });
    else throw new Error(`A sequence picture has a line that cannot be drawn: ${line}`);
  }
  return { participants: [...names.values()], messages };
};

const WIDTH = 360;
const HEAD = 40;
const LINE = 15;
/** Of an average letter in the size of the labels; Greek ones are wider than English ones. */
const LETTER = 6.8;
/** The same of the names, which are bold. */
const BOLD_LETTER = 8;
const LABEL_LETTERS = 42;

const wrapped = (text: string, letters: number): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};

interface LinesProps {
  readonly x: number;
  /** The baseline of the first line. */
  readonly y: number;
  readonly lines: readonly string[];
}

const Lines = ({ x, y, lines }: LinesProps) => (
  <text x={x} y={y}>
    {lines.map((line, index) => (
      <tspan key={line} x={x} y={y + index * LINE}>
        {line}
      </tspan>
    ))}
  </text>
);

const Head = ({ name, x, width }: { readonly name: string; readonly x: number; readonly width: number }) => {
  const lines = wrapped(name, width / BOLD_LETTER);
  return (
    <g class="head">
      <rect x={x - width / 2} y={1} width={width} height={HEAD - 2} rx={6} />
      <Lines x={x} y={HEAD / 2 + 4 - ((lines.length - 1) * LINE) / 2} lines={lines} />
    </g>
  );
};

interface Drawn extends Message {
  readonly lines: readonly string[];
  /** Where its label begins. */
  readonly top: number;
}

const Arrow = ({ drawn, xOf }: { readonly drawn: Drawn; readonly xOf: (index: number) => number }) => {
  const { lines, top } = drawn;
  const [start, end] = [xOf(drawn.from), xOf(drawn.to)];
  const y = top + lines.length * LINE + 3;
  const back = end > start ? -8 : 8;
  const half = (Math.max(...lines.map(({ length }) => length)) * LETTER) / 2 + 4;
  const x = Math.min(Math.max((start + end) / 2, half), WIDTH - half);
  return (
    <g class={drawn.isReply ? 'reply' : 'call'}>
      <line x1={start} y1={y} x2={end + back / 2} y2={y} />
      <path d={`M${end} ${y}l${back} -4.5v9z`} />
      <Lines x={x} y={top + 11} lines={lines} />
    </g>
  );
};

const placed = (messages: readonly Message[]): readonly Drawn[] => {
  let top = HEAD + 12;
  return messages.map((message, index) => {
    const drawn = { ...message, lines: wrapped(`${index + 1}. ${message.text}`, LABEL_LETTERS), top };
    top += drawn.lines.length * LINE + 20;
    return drawn;
  });
};

const texts = {
  el: { title: (names: string) => `Ποιος καλεί ποιον: ${names}`, asText: 'Η εικόνα ως κείμενο' },
  en: { title: (names: string) => `Who calls whom: ${names}`, asText: 'The picture as text' },
} as const satisfies Record<Language, unknown>;

interface SequenceProps {
  readonly text: string;
  readonly lang: Language;
  /** Of this page alone. */
  readonly id: string;
}

export const SequencePicture = ({ text, lang, id }: SequenceProps) => {
  const { participants, messages } = parseSequence(text);
  const column = WIDTH / participants.length;
  const xOf = (index: number): number => column * (index + 0.5);
  const drawn = placed(messages);
  const last = drawn.at(-1);
  const height = (last ? last.top + last.lines.length * LINE : HEAD) + 16;
  return (
    <figure class="sequence">
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
      >
        <title id={`${id}-title`}>{texts[lang].title(participants.join(', '))}</title>
        {participants.map((name, index) => (
          <line key={name} class="life" x1={xOf(index)} y1={HEAD} x2={xOf(index)} y2={height} />
        ))}
        {participants.map((name, index) => (
          <Head key={name} name={name} x={xOf(index)} width={column - 10} />
        ))}
        {drawn.map((each) => (
          <Arrow key={each.top} drawn={each} xOf={xOf} />
        ))}
      </svg>
      <details class="more">
        <summary>{texts[lang].asText}</summary>
        <ol id={`${id}-text`}>
          {messages.map(({ from, to, text: label }) => (
            <li key={label}>
              {participants[from]} → {participants[to]}: {label}
            </li>
          ))}
        </ol>
      </details>
    </figure>
  );
};
