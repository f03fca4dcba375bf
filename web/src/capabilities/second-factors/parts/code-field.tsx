import { ts } from '../../../kernel/security-texts.ts'

/** Takes a code of six digits, which a device may know how to fill in. @param hint what else it takes */
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
