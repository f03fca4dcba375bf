import { useId } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { isAdministrator } from '../../users/state.ts'
import { openNewFolder, activeFolders, folderById } from '../state.ts'
import './folders.css'

interface FolderSelectProps {
  readonly value: number | null
  readonly onChange: (folderId: number | null) => void
}

export function FolderSelect({ value, onChange }: FolderSelectProps) {
  const id = useId()
  const folders = activeFolders.value
  if (folders.length === 0 && !isAdministrator()) return null
  return (
    <div class="field">
      <label for={id}>{tl().channel.folder}</label>
      <div class="folder-select">
        <select
          id={id}
          class="input"
          value={folderById(value)?.id ?? ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : Number(currentTarget.value))}
        >
          <option value="">{tl().channel.noFolder}</option>
          {folders.map((folder) => (
            <option key={folder.id} value={folder.id}>
              {folder.name}
            </option>
          ))}
        </select>
        {isAdministrator() && (
          <button
            class="icon-button"
            type="button"
            aria-label={tl().folders.create}
            title={tl().folders.create}
            onClick={() => openNewFolder(onChange)}
          >
            <Icon name="plus" />
          </button>
        )}
      </div>
    </div>
  )
}
