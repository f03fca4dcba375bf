import { useRef, useState } from 'preact/hooks'
import { withPart } from '../dom/lazy.tsx'
import type { CropDialog, CropFrame } from './crop.tsx'

interface FileButtonProps {
  readonly label: string
  /** A shorter text, for a row that already contains the full label. */
  readonly text?: string
  readonly isDisabled?: boolean
  readonly accept: string
  /** Lets the person crop a picture to this frame. */
  readonly crop?: CropFrame
  readonly onFile: (file: File) => void
}

interface CropState {
  readonly file: File
  readonly picture: ImageBitmap
  readonly frame: CropFrame
  readonly Dialog: typeof CropDialog
}

export function FileButton({ label, text = label, isDisabled = false, accept, crop, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const [cropping, setCropping] = useState<CropState>()
  const take = async (file: File): Promise<void> => {
    if (crop === undefined) return onFile(file)
    await withPart(import('./crop.tsx'), ({ readPicture, CropDialog: Dialog }) => {
      void readPicture(file).then((picture) => {
        if (picture === undefined) onFile(file)
        else setCropping({ file, picture, frame: crop, Dialog })
      })
    })
  }
  return (
    <>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept={accept}
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file !== undefined) void take(file)
        }}
        // Stops the event, which would bubble and close a dialog around the button.
        onCancel={(event) => event.stopPropagation()}
      />
      <button
        class="button"
        type="button"
        aria-label={label}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {text}
      </button>
      {cropping !== undefined && (
        <cropping.Dialog
          {...cropping}
          onDone={(cropped) => {
            setCropping(undefined)
            if (cropped !== undefined) onFile(cropped)
          }}
        />
      )}
    </>
  )
}
