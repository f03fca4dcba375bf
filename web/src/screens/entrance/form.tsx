import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { returnAddress } from '../../platform/return-address.ts'
import { reasonOf } from '../../platform/requests.ts'
import '../sign-in.css'
import './entrance.css'

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

export function LoadingCard({ why }: { readonly why: string | undefined }) {
  return (
    <Card title={t().app.name}>
      <p role="status">{why ?? t().app.loading}</p>
    </Card>
  )
}

interface FormProps {
  readonly submitLabel: string
  readonly children: ComponentChildren
  /** Receives the submitted values. A thrown error is shown. */
  readonly submit: (textOf: (name: string) => string) => Promise<void>
}

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
  readonly type?: 'text' | 'email'
  readonly autocomplete: string
  readonly isFirst?: boolean
  readonly maxLength?: number
  readonly initial?: string
}

export function Field({ name, label, hint, type = 'text', autocomplete, isFirst = false, ...more }: FieldProps) {
  const hintId = `${name}-hint`
  const common = {
    class: 'input',
    id: name,
    name,
    autocomplete,
    'aria-describedby': hint === undefined ? undefined : hintId,
    required: true,
    autofocus: isFirst,
    maxLength: more.maxLength,
    defaultValue: more.initial,
  }
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {type === 'text' && <input {...common} type="text" />}
      {type === 'email' && <input {...common} type="email" />}
      {hint !== undefined && (
        <span class="note" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  )
}

export function SignInLink() {
  return (
    <p>
      <a href={returnAddress() ?? '/login'}>{te().haveAccount}</a>
    </p>
  )
}

/** Replaces a form whose link is invalid. @param again page that sends a new link */
export function InvalidLinkCard({ more, again }: { readonly more: string; readonly again?: string }) {
  return (
    <Card title={te().badLink}>
      <p>{more}</p>
      {again !== undefined && (
        <p>
          <a href={again}>{te().getAnother}</a>
        </p>
      )}
      <SignInLink />
    </Card>
  )
}

interface SendLinkFormProps {
  readonly title: string
  readonly lead?: string | undefined
  readonly hint: string
  readonly submitLabel?: string
  readonly autocomplete: 'email' | 'username'
  readonly send: (email: string) => Promise<unknown>
  /** Text to show after the link was sent. */
  readonly sent: (email: string) => string
  /** Alternatives to show until the link is sent. */
  readonly children?: ComponentChildren
}

export function SendLinkForm({ title, lead, hint, autocomplete, send, sent, children, ...more }: SendLinkFormProps) {
  const { submitLabel = te().sendLink } = more
  const [sentTo, setSentTo] = useState<string>()
  return (
    <Card title={title}>
      {sentTo !== undefined && <p role="status">{sent(sentTo)}</p>}
      {sentTo === undefined && lead !== undefined && <p>{lead}</p>}
      {sentTo === undefined && (
        <Form
          submitLabel={submitLabel}
          submit={async (textOf) => {
            const email = textOf('email')
            await send(email)
            setSentTo(email)
          }}
        >
          <Field name="email" label={tl().signIn.email} hint={hint} type="email" autocomplete={autocomplete} isFirst />
        </Form>
      )}
      {sentTo === undefined && children}
      <SignInLink />
    </Card>
  )
}
