import type { ListedIntegration } from '@parley/server/integrations'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { conversationOfMessage, type Message } from '../../../kernel/message.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { Link } from '../../../platform/dom/link.tsx'
import { announce } from '../../../platform/overlay/announce.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import type { Bot } from '../../bots/state.ts'
import { Content } from '../../messages/parts/shown.tsx'
import { placeTitle } from '../../places/title.tsx'
import { ownId } from '../../users/state.ts'
import { sendSampleRequest } from '../actions.ts'
import { addressFor, type WebhookOptions } from '../state.ts'

interface AddressProps {
  readonly service: ListedIntegration
  readonly apiKey: string
  readonly bot: Bot
  readonly chosen: WebhookOptions
}

export function Address({ service, apiKey, bot, chosen }: AddressProps) {
  const [result, setResult] = useState<{ readonly message: Message | undefined }>()
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const heading = useId()
  const shown = useRef<HTMLPreElement>(null)
  useLayoutEffect(() => shown.current?.focus(), [])
  const address = addressFor(service, apiKey, chosen)
  const test = async (): Promise<void> => {
    setBusy(true)
    setResult(undefined)
    await run(async () => setResult({ message: await sendSampleRequest(service, address, chosen) }))
    setBusy(false)
    announce(ta().integrations.tested)
  }
  return (
    <>
      <div class="field">
        <span id={heading}>{ta().integrations.address}</span>
        <pre class="integration-address" dir="ltr" tabIndex={0} role="group" aria-labelledby={heading} ref={shown}>
          {address}
        </pre>
        <span class="note">{ta().integrations.addressMore}</span>
        <div class="own-picture">
          <button class="button primary" onClick={() => void copyWithToast(address)}>
            {ta().integrations.copyAddress}
          </button>
          <button class="button" disabled={isBusy} onClick={() => void test()}>
            {ta().integrations.test}
          </button>
        </div>
      </div>
      {refusal}
      {result !== undefined && <Result message={result.message} bot={bot} />}
    </>
  )
}

function Result({ message, bot }: { readonly message: Message | undefined; readonly bot: Bot }) {
  if (message === undefined) {
    return <p class="note">{bot.bot_owner_id === ownId() ? ta().integrations.unseen : ta().integrations.elsewhere}</p>
  }
  const place = conversationOfMessage(message, ownId())
  return (
    <section class="integration-result" aria-label={ta().integrations.came}>
      <div class="integration-place">
        <Link to={{ ...place, near: message.id }}>{placeTitle(place)}</Link>
      </div>
      <strong>
        <bdi>{message.sender_full_name}</bdi>
      </strong>
      <Content html={message.content} />
    </section>
  )
}
