import { ts } from '../../../kernel/security-texts.ts'

/** Field for a 6-digit code, which browsers can autofill. @param hint other codes that it accepts */
export function CodeField({ hint }: { readonly hint: string }) {
  return (
    <div class="field">
      <label for="code">{ts().code}</label>
      <input
        class="input"
        id="code"
        name="code"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby="code-hint"
        required
        autofocus
      />
      <span class="note" id="code-hint">
        {hint}
      </span>
    </div>
  )
}
