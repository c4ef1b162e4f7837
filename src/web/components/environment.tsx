/** Which environment a page belongs to, if it is not the bank's own service. */
export interface EnvironmentProps {
  readonly label: string;
  readonly name: string;
  readonly note: string;
  /** If it is not that of the page. */
  readonly lang?: string | undefined;
}

export const Environment = ({ label, name, note, lang }: EnvironmentProps) => (
  <aside class="environment" aria-label={label} lang={lang}>
    <p class="width-page">
      <strong>{name}</strong> {note}
    </p>
  </aside>
);
