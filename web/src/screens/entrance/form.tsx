import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { reasonOf } from '../../platform/requests.ts'
import '../sign-in.css'
import './entrance.css'

/** A page with one card, for people who are not signed in. */
export function Card({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <main id="main" class="sign-in">
      <div class="sign-in-form">
        <img src="/static/icon.svg" alt="" width={56} height={56} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

interface FormProps {
  readonly submitLabel: string
  readonly children: ComponentChildren
  /** What is done with what was typed; what it throws is shown. */
  readonly submit: (textOf: (name: string) => string) => Promise<void>
}

/** Fields with a button below, which waits for the answer and says what is wrong. */
export function Form({ submitLabel, children, submit }: FormProps) {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form)
    setBusy(true)
    setFailure(undefined)
    try {
      await submit((name) => {
        const value = data.get(name)
        return typeof value === 'string' ? value : ''
      })
    } catch (error) {
      setFailure(reasonOf(error))
    }
    setBusy(false)
  }
  return (
    <form
      class="entrance-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send(event.currentTarget)
      }}
    >
      {children}
      <p class="sign-in-failure" role="alert">
        {failure}
      </p>
      <button class="button primary" type="submit" disabled={isBusy}>
        {submitLabel}
      </button>
    </form>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autocomplete: string
  readonly isFirst?: boolean
}

export function Field({ name, label, hint, type = 'text', autocomplete, isFirst = false }: FieldProps) {
  const hintId = `${name}-hint`
  const common = {
    class: 'input',
    id: name,
    name,
    autocomplete,
    'aria-describedby': hint === undefined ? undefined : hintId,
    required: true,
    autofocus: isFirst,
  }
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {type === 'text' && <input {...common} type="text" />}
      {type === 'email' && <input {...common} type="email" />}
      {type === 'password' && <input {...common} type="password" minLength={MIN_PASSWORD} />}
      {hint !== undefined && (
        <span class="note" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  )
}

/** What the server asks for at least. */
const MIN_PASSWORD = 8

/** Where one signs in who needs none of this. */
export function SignInLink() {
  return (
    <p class="entrance-else">
      <a href="/login">{t().entrance.haveAccount}</a>
    </p>
  )
}

/** What is said in place of a form when a link is not good. @param again where one has another sent */
export function BadLink({ more, again }: { readonly more: string; readonly again?: string }) {
  return (
    <Card title={t().entrance.badLink}>
      <p>{more}</p>
      {again !== undefined && (
        <p class="entrance-else">
          <a href={again}>{t().entrance.sendAgain}</a>
        </p>
      )}
      <SignInLink />
    </Card>
  )
}
