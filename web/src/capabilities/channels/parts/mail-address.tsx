import { ApiError, call } from '@parley/client'
import { incomingMail } from '@parley/server/contract'
import { useId, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { UserFacingError } from '../../../platform/requests.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withConfirmation } from '../../sessions/confirming.ts'
import { mayAdminister } from '../rights.ts'
import type { Channel } from '../state.ts'

/** Shown on request, because anyone who knows the address can post. */
export function MailAddress({ channel }: { readonly channel: Channel }) {
  const { stream_id: channelId } = channel
  const [address, setAddress] = useState<string>()
  const [refusal, run] = useRefusal()
  const heading = useId()
  const copyIt = async (): Promise<void> => {
    if (address !== undefined) await copyWithToast(address)
  }
  const renew = (): void =>
    askConfirmation({
      text: ta().incomingMail.renewSure,
      action: ta().incomingMail.renew,
      run: () =>
        void run(async () => {
          setAddress(await addressOf(channelId, incomingMail.renewChannelEmailAddress))
          toast(ta().incomingMail.renewed)
        }),
    })
  return (
    <div class="field" role="group" aria-labelledby={heading}>
      <span id={heading}>{ta().incomingMail.title}</span>
      {address !== undefined && (
        <code class="mail-address" dir="ltr">
          {address}
        </code>
      )}
      <span class="note">{ta().incomingMail.more}</span>
      <div class="mail-address-actions">
        {address === undefined ? (
          <button
            class="button"
            onClick={() =>
              void run(async () => setAddress(await addressOf(channelId, incomingMail.getChannelEmailAddress)))
            }
          >
            {ta().incomingMail.show}
          </button>
        ) : (
          <button class="button" onClick={() => void copyIt()}>
            {ta().incomingMail.copy}
          </button>
        )}
        {mayAdminister(channel) && (
          <button class="button danger" onClick={renew}>
            {ta().incomingMail.renew}
          </button>
        )}
      </div>
      {refusal}
    </div>
  )
}

/** @throws UserFacingError if the server does not receive email */
async function addressOf(
  channelId: number,
  endpoint: typeof incomingMail.getChannelEmailAddress | typeof incomingMail.renewChannelEmailAddress,
): Promise<string> {
  try {
    return (await withConfirmation(async () => call(SESSION, endpoint, { stream_id: channelId }))).email
  } catch (error) {
    const isOff = error instanceof ApiError && error.message === incomingMail.NO_INCOMING_MAIL
    throw isOff ? new UserFacingError(ta().incomingMail.none) : error
  }
}
