import { ts } from '../../../kernel/security-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { copy } from '../../../platform/dom/clipboard.ts'
import { useState } from 'preact/hooks'
import './second-factor.css'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  /** Called when the user confirms having saved the codes. */
  readonly onKept: () => void
}

/** Recovery codes, which are shown only once. */
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
        <button class="button" type="button" onClick={() => void copy(codes.join('\n')).then(setCopied)}>
          {ts().copyCodes}
        </button>
        <button class="button primary" type="button" onClick={onKept}>
          {ts().kept}
        </button>
      </div>
    </>
  )
}
