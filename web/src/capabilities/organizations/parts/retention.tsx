import { ta } from '../../../kernel/administration.ts'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { useSavedChoice } from '../../../platform/settings/choosing.tsx'
import { refusalReason, RETENTION_FOREVER, realmSetting, RETENTION_DAYS, withChosen } from '../choices.ts'

/** A shorter retention requires confirmation, because it deletes messages permanently. */
export function Retention() {
  const { said, refusal, choose } = useSavedChoice(() => ta().content.retentionOf)
  const choice = realmSetting('message_retention_days')
  const days = choice.read()
  const set = (chosen: number): void =>
    void choose(
      async () => choice.write(chosen),
      async () => choice.write(days),
    )
  const ask = (chosen: number, shown: HTMLSelectElement): void => {
    const isShorter = chosen !== RETENTION_FOREVER && (days === RETENTION_FOREVER || chosen < days)
    if (!isShorter) {
      set(chosen)
      return
    }
    shown.value = String(days)
    askConfirmation({
      text: ta().content.retentionSure(chosen),
      action: ta().content.retentionShorten,
      run: () => set(chosen),
    })
  }
  return (
    <>
      <select
        class="input"
        aria-label={ta().content.retentionOf}
        disabled={refusalReason('message_retention_days') !== undefined}
        value={String(days)}
        onChange={({ currentTarget }) => ask(Number(currentTarget.value), currentTarget)}
      >
        {withChosen(RETENTION_DAYS, days).map((number) => (
          <option key={number} value={String(number)}>
            {number === RETENTION_FOREVER ? ta().content.forEver : ta().content.forDays(number)}
          </option>
        ))}
      </select>
      {said}
      {refusal}
    </>
  )
}
