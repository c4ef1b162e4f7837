/** The picture of the three parties: drawn in the colours of the page, and small enough for a phone. */
import type { Language } from '../../web/language.js';
import { homeTexts } from './home-texts.js';

interface PartyProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly name: string;
}

const Party = ({ x, y, width, name }: PartyProps) => (
  <>
    <rect x={x} y={y} width={width} height="56" rx="10" />
    <text class="party" x={x + width / 2} y={y + 34}>
      {name}
    </text>
  </>
);

interface StepProps {
  readonly number: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

const Step = ({ number, text, x, y }: StepProps) => (
  <>
    <circle cx={x} cy={y} r="10" />
    <text class="step-number" x={x} y={y + 4.5}>
      {number}
    </text>
    <text class="step-text" x={x + 16} y={y + 4.5}>
      {text}
    </text>
  </>
);

export const Parties = ({ lang }: { readonly lang: Language }) => {
  const { title, description, tpp, holder, bank, steps } = homeTexts[lang].parties;
  return (
    <svg class="parties" viewBox="0 0 436 250" role="img" aria-labelledby="parties-title parties-text">
      <title id="parties-title">{title}</title>
      <desc id="parties-text">{description}</desc>
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto-start-reverse"
        >
          <path class="arrow-end" d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      <Party x={2} y={12} width={132} name={tpp} />
      <Party x={302} y={12} width={132} name={bank} />
      <Party x={140} y={190} width={156} name={holder} />
      <g class="arrows" marker-end="url(#arrow)">
        <path d="M136 36H299" />
        <path d="M300 52H137" />
        <path d="M68 70V218H137" />
        <path d="M297 218H368V72" />
      </g>
      <Step number={1} text={steps[0]} x={150} y={19} />
      <Step number={4} text={steps[3]} x={150} y={71} />
      <Step number={2} text={steps[1]} x={86} y={118} />
      <Step number={3} text={steps[2]} x={222} y={154} />
    </svg>
  );
};
