import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { dayTitle } from '../../../kernel/time.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadingFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { channelById } from '../../channels/state.ts'
import { readTokens, revokeToken, type ApiToken } from '../actions.ts'
import { NewToken } from './new-token.tsx'
import './tokens.css'

/** Reloads the list after each change, because no event reports changes. */
export function ApiTokens() {
  const { value: tokens, hasFailed, again } = useFetched(readTokens, 'api-tokens')
  const [isMaking, setMaking] = useState(false)
  const [refusal, run] = useRefusal()
  if (hasFailed) return <LoadingFailure again={again} />
  if (tokens === undefined) return <LoadingRows rows={1} />
  const revoke = async (token: ApiToken): Promise<void> => {
    if (await run(async () => revokeToken(token.id))) toast(ta().apiTokens.revoked)
    again()
  }
  return (
    <>
      <ul class="credentials">
        {tokens.map((token) => (
          <Row
            key={token.id}
            token={token}
            onRevoke={() =>
              askConfirmation({
                text: ta().apiTokens.revokeSure(token.name),
                action: ta().apiTokens.revoke,
                run: () => void revoke(token),
              })
            }
          />
        ))}
      </ul>
      {refusal}
      <button class="button" onClick={() => setMaking(true)}>
        {ta().apiTokens.make}
      </button>
      {isMaking && (
        <NewToken
          onClose={() => {
            setMaking(false)
            again()
          }}
        />
      )}
    </>
  )
}

function Row({ token, onRevoke }: { readonly token: ApiToken; readonly onRevoke: () => void }) {
  return (
    <li class="credential">
      <span>
        <bdi>{token.name}</bdi>
        <span class="note" dir="auto">
          {scopeText(token)}
        </span>
        <span class="note">{usageText(token)}</span>
      </span>
      <button class="button danger" aria-label={ta().apiTokens.revokeOf(token.name)} onClick={onRevoke}>
        {ta().apiTokens.revoke}
      </button>
    </li>
  )
}

function scopeText({ is_read_only: isReadOnly, channel_ids: ids }: ApiToken): string {
  const may = isReadOnly ? ta().apiTokens.reads : ta().apiTokens.writes
  // Omits channels that the user can no longer see, because their names are unknown.
  const names = ids?.flatMap((id) => channelById(id)?.name ?? []).map((name) => `#${name}`)
  return names === undefined ? may : ta().apiTokens.inChannels(may, names.join(', '))
}

function usageText({ last_used_at: used, expires_at: end }: ApiToken): string {
  const last = used === null ? ta().apiTokens.neverUsed : ta().devices.used(dayTitle(used))
  if (end === null) return last
  const isOver = end * 1000 <= Date.now()
  return ta().apiTokens.both(last, isOver ? ta().apiTokens.over(dayTitle(end)) : ta().apiTokens.until(dayTitle(end)))
}
