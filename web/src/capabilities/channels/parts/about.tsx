import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { FolderSelect } from '../../channel-folders/parts/folder-select.tsx'
import { TextField } from '../../../platform/settings/text-editor.tsx'
import { archiveChannel, changeChannel } from '../actions.ts'
import { closeChannelSettings } from '../views.ts'
import { kindOf, creatableKinds, type Kind } from '../rights.ts'
import { channelById, type Channel } from '../state.ts'

export function About({ channelId }: { readonly channelId: number }) {
  const [refusal, run] = useRefusal()
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const { name, description } = channel
  const kind = kindOf(channel)
  const kinds = [...new Set([kind, ...creatableKinds()])]
  return (
    <div class="form">
      <TextField
        label={t().channel.name}
        value={name}
        maxLength={store().read('max_stream_name_length')}
        isRequired
        save={async (text) => changeChannel(channelId, { new_name: text })}
      />
      <TextField
        label={t().channel.description}
        value={description}
        maxLength={store().read('max_stream_description_length')}
        isLong
        save={async (text) => changeChannel(channelId, { description: text })}
      />
      <label class="field">
        <span>{t().channel.kind}</span>
        <select
          class="input"
          value={kind}
          onChange={({ currentTarget }) => {
            const chosen = kinds.find((one) => one === currentTarget.value)
            if (chosen !== undefined) void run(async () => changeChannel(channelId, privacyDetails(chosen)))
          }}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t().channel.kinds[one]}
            </option>
          ))}
        </select>
      </label>
      <FolderSelect
        value={channel.folder_id}
        onChange={(id) => void run(async () => changeChannel(channelId, { folder_id: id }))}
      />
      {refusal}
      <div class="dialog-actions">
        <ArchiveButton channel={channel} run={run} />
      </div>
    </div>
  )
}

interface PartProps {
  readonly channel: Channel
  readonly run: ReturnType<typeof useRefusal>[1]
}

function ArchiveButton({ channel, run }: PartProps) {
  const { stream_id: channelId, name } = channel
  if (channel.is_archived) {
    return (
      <button class="button" onClick={() => void run(async () => changeChannel(channelId, { is_archived: false }))}>
        {t().channel.unarchive}
      </button>
    )
  }
  const ask = (): void => {
    closeChannelSettings()
    askConfirmation({
      text: t().channel.archiveSure(name),
      action: t().channel.archive,
      run: () => void archiveChannel(channelId),
    })
  }
  return (
    <button class="button danger" onClick={ask}>
      {t().channel.archive}
    </button>
  )
}

export function privacyDetails(kind: Kind) {
  if (kind === 'web-public') return { is_private: false, is_web_public: true }
  if (kind === 'public') return { is_private: false, is_web_public: false }
  return { is_private: true, is_web_public: false, history_public_to_subscribers: kind === 'private-history' }
}
