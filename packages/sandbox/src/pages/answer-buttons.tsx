/** What a person of the demo bank answers, in the app or at the bank's login. */
interface Words {
  readonly confirm: string;
  readonly refuse: string;
}

export const AnswerButtons = ({ confirm, refuse }: Words) => (
  <p class="actions">
    <button class="button" type="submit" name="answer" value="right">
      {confirm}
    </button>
    <button class="button second" type="submit" name="answer" value="refused">
      {refuse}
    </button>
  </p>
);
