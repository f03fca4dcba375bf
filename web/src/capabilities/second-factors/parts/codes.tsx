import { useState } from 'preact/hooks'
import { ts } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { copyText } from '../../../platform/dom/clipboard.ts'
import './second-factor.css'

/** Field for a 2FA code that browsers can autofill. @param hint names other accepted codes */
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

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onKept: () => void
}

export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const [isCopied, setCopied] = useState(false)
  return (
    <>
      <p>{ts().keepCodes}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p role="status">{isCopied ? t().messages.copied : ''}</p>
      <div class="second-factor-actions">
        <button class="button" type="button" onClick={() => void copyText(codes.join('\n')).then(setCopied)}>
          {ts().copyCodes}
        </button>
        <button class="button primary" type="button" onClick={onKept}>
          {ts().kept}
        </button>
      </div>
    </>
  )
}
