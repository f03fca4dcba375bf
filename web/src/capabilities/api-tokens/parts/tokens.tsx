import { apiTokens as contract } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { ts, tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { dayTitle } from '../../../kernel/time.ts'
import { copyText } from '../../../platform/dom/clipboard.ts'
import { PasswordField } from '../../../platform/dom/password-field.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { channelById, allChannels } from '../../channels/state.ts'
import { ChannelSign } from '../../places/title.tsx'
import { fetchTokens, revokeToken, type ApiToken, createToken, type NewToken as TokenRequest } from '../actions.ts'
import './tokens.css'

/** Reloads the list after each change, because no event reports changes. */
export function ApiTokens() {
  const { value: tokens, hasFailed, again } = useFetched(fetchTokens, 'api-tokens')
  const [isMaking, setMaking] = useState(false)
  const [refusal, run] = useRefusal()
  if (hasFailed) return <LoadFailure again={again} />
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

const DAY_SECONDS = 86_400
/** Null for tokens that stay valid until they are revoked. */
const LIFETIME_DAYS: readonly (number | null)[] = [7, 30, 90, 365, null]
const DEFAULT_LIFETIME_DAYS = 90

function NewToken({ onClose }: { readonly onClose: () => void }) {
  const [token, setToken] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  if (token !== undefined) return <CreatedToken token={token} onClose={onClose} />
  const submit = async (data: FormData): Promise<void> => {
    setBusy(true)
    await run(async () => setToken(await createToken(readTokenRequest(data))))
    setBusy(false)
  }
  return (
    <Dialog title={ta().apiTokens.make} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <TokenFields />
        {refusal}
        <DialogActions action={ta().apiTokens.make} isDisabled={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function TokenFields() {
  return (
    <>
      <label class="field">
        <span>{ta().apiTokens.name}</span>
        <input
          class="input"
          name="token-name"
          dir="auto"
          maxLength={contract.MAX_TOKEN_NAME_LENGTH}
          autocomplete="off"
          required
          autofocus
        />
        <span class="note">{ta().apiTokens.nameHint}</span>
      </label>
      <label class="field">
        <span>{ta().apiTokens.may}</span>
        <select class="input" name="may">
          <option value="read">{ta().apiTokens.reads}</option>
          <option value="write">{ta().apiTokens.writes}</option>
        </select>
      </label>
      <label class="field">
        <span>{ta().apiTokens.end}</span>
        <select class="input" name="days">
          {LIFETIME_DAYS.map((days) => (
            <option key={String(days)} value={String(days)} selected={days === DEFAULT_LIFETIME_DAYS}>
              {days === null ? ta().apiTokens.ever : ta().apiTokens.days(days)}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="choice-list">
        <legend>{ta().apiTokens.channels}</legend>
        {allChannels().map(({ stream_id: id, name }) => (
          <label key={id} class="check">
            <input type="checkbox" name="channel" value={String(id)} />
            <ChannelSign channelId={id} />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
      <p class="note">{ta().apiTokens.channelsMore}</p>
      <div class="field">
        <label for="token-password">{tl().signIn.password}</label>
        <PasswordField
          id="token-password"
          name="password"
          autocomplete="current-password"
          aria-describedby="token-password-hint"
        />
        <span class="note" id="token-password-hint">
          {ts().passwordHint}
        </span>
      </div>
    </>
  )
}

function CreatedToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Dialog title={ta().apiTokens.made} onClose={onClose}>
      <div class="form">
        <p>{ta().apiTokens.keep}</p>
        <code class="token-itself">{token}</code>
        <p role="status">{isCopied ? t().messages.copied : ''}</p>
        <div class="dialog-actions">
          <button class="button" onClick={() => void copyText(token).then(setCopied)}>
            {ts().copyCodes}
          </button>
          <button class="button primary" onClick={onClose}>
            {ta().apiTokens.kept}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function readTokenRequest(data: FormData): TokenRequest {
  const channels = data.getAll('channel').map(Number)
  const days = textIn(data, 'days')
  return {
    name: textIn(data, 'token-name'),
    password: textIn(data, 'password'),
    is_read_only: textIn(data, 'may') !== 'write',
    ...(channels.length === 0 ? {} : { channel_ids: channels }),
    ...(days === 'null' ? {} : { expires_at: Math.floor(Date.now() / 1000) + Number(days) * DAY_SECONDS }),
  }
}

function textIn(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}
