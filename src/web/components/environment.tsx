/** Which environment a page belongs to, if it is not the bank's own service. */
export interface EnvironmentProps {
  readonly label: string;
  readonly name: string;
  readonly note: string;
}

export const Environment = ({ label, name, note }: EnvironmentProps) => (
  <aside class="environment" aria-label={label}>
    <p class="width-page">
      <strong>{name}</strong> {note}
    </p>
  </aside>
);
