import { call, type Answer } from '@parley/client'
import { authentication } from '@parley/server/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import './new-password.css'

type Strength = Answer<typeof authentication.estimatePassword>['strength']

const STRENGTHS: readonly Strength[] = ['weak', 'fair', 'good', 'strong']

/** Pause in typing before the strength is checked. */
const DELAY_MILLISECONDS = 400

/** Fields whose values the password must not resemble. */
const OWN_FIELDS = ['full_name', 'email', 'realm_name'] as const

interface NewPasswordProps {
  /** The organization's name, if it is not a form field. */
  readonly organization?: string
  readonly isFirst?: boolean
}

/** The server checks the strength again on submit. */
export function NewPassword({ organization = '', isFirst = false }: NewPasswordProps) {
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const strength = useStrength(password, () => [organization, ...ownWordsIn(field.current?.form ?? null)])
  return (
    <div class="field">
      <label for="password">{te().newPassword}</label>
      <input
        ref={field}
        class="input"
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        aria-describedby="password-hint password-strength"
        minLength={authentication.PASSWORD_LENGTH.min}
        maxLength={authentication.PASSWORD_LENGTH.max}
        required
        autofocus={isFirst}
        onInput={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <span class="note" id="password-hint">
        {te().newPasswordHint}
      </span>
      <span class="password-strength" data-strength={strength} id="password-strength" role="status">
        {strength !== undefined && (
          <>
            <span class="password-bar" aria-hidden="true">
              {STRENGTHS.map((one) => (
                <span key={one} data-is-reached={STRENGTHS.indexOf(one) <= STRENGTHS.indexOf(strength)} />
              ))}
            </span>
            {te().strengths[strength]}
          </>
        )}
      </span>
    </div>
  )
}

function useStrength(password: string, ownWords: () => readonly string[]): Strength | undefined {
  const [judged, setJudged] = useState<{ readonly password: string; readonly strength: Strength }>()
  useEffect(() => {
    if (password.length < authentication.PASSWORD_LENGTH.min) return
    let isOver = false
    const ask = async (): Promise<void> => {
      const own_words = ownWords().filter((word) => word !== '')
      const { strength } = await call(SESSION, authentication.estimatePassword, { password, own_words })
      if (!isOver) setJudged({ password, strength })
    }
    const timer = setTimeout(() => void ask().catch(() => undefined), DELAY_MILLISECONDS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [password])
  if (password === '') return undefined
  if (password.length < authentication.PASSWORD_LENGTH.min) return 'weak'
  return judged?.password === password ? judged.strength : undefined
}

function ownWordsIn(form: HTMLFormElement | null): string[] {
  if (form === null) return []
  const data = new FormData(form)
  return OWN_FIELDS.map((name) => data.get(name)).filter((value) => typeof value === 'string')
}
