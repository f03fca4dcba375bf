import { users } from '@parley/server/contract'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { FileButton } from '../../../platform/overlay/file-button.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { TextField } from '../../../platform/settings/text-editor.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PersonField } from '../../users/parts/person-field.tsx'
import { activePeople, isAdministrator, userById, userName } from '../../users/state.ts'
import {
  replaceApiKey,
  deactivateBot,
  transferBot,
  fetchApiKey,
  reactivateBot,
  renameBot,
  uploadBotPicture,
} from '../actions.ts'
import { mayManageBot, OUTGOING_WEBHOOK, type Bot } from '../state.ts'
import { CommandsPart } from './commands.tsx'
import { SecretField, ServicePart } from './service.tsx'

interface BotDialogProps {
  readonly userId: number
  readonly onClose: () => void
}

export function BotDialog({ userId, onClose }: BotDialogProps) {
  // Subscribes explicitly, because events change users in place.
  void [store().read('realm_users'), store().read('realm_non_active_users')]
  const bot = userById(userId)
  // Events can remove the bot or change its owner while the dialog is open.
  if (bot === undefined || !mayManageBot(bot)) return null
  const { full_name: name, email, is_active: isActive, bot_owner_id: ownerId } = bot
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="form">
        <TextField
          label={ta().bots.name}
          value={name}
          maxLength={users.MAX_FULL_NAME_CHARACTERS}
          isRequired
          isFixed={!isActive}
          save={async (text) => renameBot(bot, text)}
        />
        <div class="field">
          <span>{ta().bots.address}</span>
          <code>{email}</code>
        </div>
        <div class="field">
          <span>{ta().bots.kind}</span>
          <bdi>{kindTitle(bot)}</bdi>
        </div>
        {isActive && (
          <>
            <Picture bot={bot} />
            <ApiKey bot={bot} />
            {bot.bot_type === OUTGOING_WEBHOOK && (
              <>
                <ServicePart bot={bot} />
                <CommandsPart bot={bot} />
              </>
            )}
          </>
        )}
        <div class="field">
          <span>{ta().bots.owner}</span>
          <bdi>{ownerId === null ? ta().bots.nobody : userName(ownerId)}</bdi>
        </div>
        {isActive && isAdministrator() && <OwnerField bot={bot} />}
        <Activity bot={bot} isActive={isActive} />
      </div>
    </Dialog>
  )
}

function kindTitle({ bot_type: type }: Bot): string {
  const titles: Readonly<Record<number, string | undefined>> = ta().bots.kinds
  return titles[type ?? 1] ?? ta().bots.kinds[1]
}

interface PartProps {
  readonly bot: Bot
}

function Picture({ bot }: PartProps) {
  const [refusal, run] = useRefusal()
  return (
    <div class="field">
      <span>{ta().bots.picture}</span>
      <div class="own-picture">
        <Avatar userId={bot.user_id} size={64} />
        <FileButton
          label={ta().bots.upload}
          accept="image/*"
          crop="square"
          onFile={(file) => void run(async () => uploadBotPicture(bot, file))}
        />
        {refusal}
      </div>
    </div>
  )
}

function ApiKey({ bot }: PartProps) {
  return (
    <SecretField
      texts={{
        title: ta().bots.key,
        show: ta().bots.showKey,
        copy: ta().bots.copyKey,
        renew: ta().bots.newKey,
        renewSure: ta().bots.newKeySure(bot.full_name),
      }}
      ask={async () => fetchApiKey(bot)}
      renew={async () => replaceApiKey(bot)}
    />
  )
}

function OwnerField({ bot }: PartProps) {
  const [refusal, run] = useRefusal()
  return (
    <>
      <PersonField
        label={ta().bots.changeOwner}
        among={activePeople.value.filter(
          ({ user_id: id, is_bot: isBot, is_guest: isGuest }) => !isBot && !isGuest && id !== bot.bot_owner_id,
        )}
        onChoose={(userId) => void run(async () => transferBot(bot, userId))}
      >
        <p class="note">{ta().bots.changeOwnerMore}</p>
      </PersonField>
      {refusal}
    </>
  )
}

function Activity({ bot, isActive }: PartProps & { readonly isActive: boolean }) {
  const [refusal, run] = useRefusal()
  if (!isActive && !isAdministrator()) return null
  const ask = (): void =>
    askConfirmation({
      text: ta().bots.deactivateSure(bot.full_name),
      action: ta().bots.deactivate,
      run: () => void run(async () => deactivateBot(bot)),
    })
  return (
    <>
      {refusal}
      <div class="dialog-actions">
        {isActive ? (
          <button class="button danger" onClick={ask}>
            {ta().bots.deactivate}
          </button>
        ) : (
          <button class="button" onClick={() => void run(async () => reactivateBot(bot))}>
            {ta().bots.reactivate}
          </button>
        )}
      </div>
    </>
  )
}
