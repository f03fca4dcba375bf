import { call, type Answer } from '@parley/client'
import { authentication } from '@parley/server/contract'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { SESSION } from '../sync/sync.ts'
import { PasswordField } from './password-field.tsx'
import './new-password.css'

type PasswordRating = Pick<Answer<typeof authentication.estimatePassword>, 'strength' | 'weakness'>

const PASSWORD_STRENGTHS: readonly PasswordRating['strength'][] = ['weak', 'fair', 'good', 'strong']

const RATING_DELAY_MILLISECONDS = 400

/** Fields whose values the password must not resemble. */
const PERSONAL_FIELDS = ['full_name', 'email', 'realm_name'] as const

const TOO_SHORT_RATING: PasswordRating = { strength: 'weak', weakness: 'short' }

interface NewPasswordProps {
  readonly name?: string
  readonly label?: string
  /** Words that the password must not resemble and that no field of the form contains. */
  readonly ownWords?: readonly string[]
  readonly isFirst?: boolean
}

/** Rates the password while the person types. The server checks its strength again on submit. */
export function NewPassword({
  name = 'password',
  label = te().newPassword,
  ownWords = [],
  isFirst = false,
}: NewPasswordProps) {
  const id = useId()
  const part = useRef<HTMLDivElement>(null)
  const [password, setPassword] = useState('')
  const rating = useRating(password, () => [...ownWords, ...personalWordsIn(part.current?.closest('form') ?? null)])
  useEffect(() => {
    const form = part.current?.closest('form')
    const clear = (): void => setPassword('')
    form?.addEventListener('reset', clear)
    return () => form?.removeEventListener('reset', clear)
  }, [])
  return (
    <div ref={part} class="field">
      <label for={id}>{label}</label>
      <PasswordField
        id={id}
        name={name}
        autocomplete="new-password"
        aria-describedby={`${id}-hint ${id}-strength`}
        aria-invalid={rating?.strength === 'weak'}
        minLength={authentication.PASSWORD_LENGTH.min}
        maxLength={authentication.PASSWORD_LENGTH.max}
        required
        autofocus={isFirst}
        onInput={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <div class="password-notes">
        <span class={rating === undefined ? 'note' : 'note is-replaced'} id={`${id}-hint`}>
          {te().newPasswordHint}
        </span>
        <span class="password-strength" data-strength={rating?.strength} id={`${id}-strength`} role="status">
          {rating !== undefined && (
            <>
              <span class="password-bar" aria-hidden="true">
                {PASSWORD_STRENGTHS.map((one) => (
                  <span
                    key={one}
                    data-is-reached={PASSWORD_STRENGTHS.indexOf(one) <= PASSWORD_STRENGTHS.indexOf(rating.strength)}
                  />
                ))}
              </span>
              {rating.weakness === null ? te().strengths[rating.strength] : te().weaknesses[rating.weakness]}
            </>
          )}
        </span>
      </div>
    </div>
  )
}

/** The last rating stays while the person types, so that it does not flicker. */
function useRating(password: string, ownWords: () => readonly string[]): PasswordRating | undefined {
  const [rating, setRating] = useState<PasswordRating>()
  useEffect(() => {
    if (password === '') return setRating(undefined)
    if (password.length >= authentication.PASSWORD_LENGTH.min)
      setRating((last) => (last === TOO_SHORT_RATING ? undefined : last))
    let isOver = false
    const ask = async (): Promise<PasswordRating> => {
      if (password.length < authentication.PASSWORD_LENGTH.min) return TOO_SHORT_RATING
      const own_words = ownWords().filter((word) => word !== '')
      return call(SESSION, authentication.estimatePassword, { password, own_words })
    }
    const rate = async (): Promise<void> => {
      const rated = await ask().catch(() => undefined)
      if (!isOver) setRating(rated)
    }
    const timer = setTimeout(() => void rate(), RATING_DELAY_MILLISECONDS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [password])
  return rating
}

function personalWordsIn(form: HTMLFormElement | null): string[] {
  if (form === null) return []
  const data = new FormData(form)
  return PERSONAL_FIELDS.map((name) => data.get(name)).filter((value) => typeof value === 'string')
}
