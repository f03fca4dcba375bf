import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ta } from '../../kernel/administration.ts'
import { FormDialog } from './form-dialog.tsx'
import './crop.css'

/** Proportions of the frame: a square, or those of the picture. */
export type CropFrame = 'square' | 'own'

interface Point {
  readonly x: number
  readonly y: number
}

interface Region extends Point {
  readonly width: number
  readonly height: number
}

/** @returns undefined for files to upload unchanged: animations, and files that the browser cannot read */
export async function readPicture(file: File): Promise<ImageBitmap | undefined> {
  try {
    if (isAnimated(new TextDecoder('latin1').decode(await file.arrayBuffer()))) return undefined
    return await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return undefined
  }
}

function isAnimated(bytes: string): boolean {
  // A GIF without animation has at most one graphic control extension (`21 F9 04` in hexadecimal).
  if (bytes.startsWith('GIF')) return bytes.split('!\u00F9\u0004').length > 2
  if (bytes.slice(8, 12) === 'WEBP') return bytes.slice(12, 64).includes('ANIM')
  return bytes.slice(1, 4) === 'PNG' && bytes.split('IDAT', 1).some((head) => head.includes('acTL'))
}

interface CropDialogProps {
  readonly file: File
  readonly picture: ImageBitmap
  readonly frame: CropFrame
  readonly onDone: (cropped: File | undefined) => void
}

export function CropDialog({ file, picture, frame, onDone }: CropDialogProps) {
  const [zoom, setZoom] = useState(1)
  const [center, setCenter] = useState({ x: picture.width / 2, y: picture.height / 2 })
  useEffect(() => () => picture.close(), [])
  const region = regionOf(picture, frame, zoom, center)
  return (
    <FormDialog
      title={ta().crop.title}
      action={ta().crop.use}
      save={async () => onDone(await cropPicture(file, picture, region))}
      onClose={() => onDone(undefined)}
    >
      <Stage picture={picture} region={region} onMove={setCenter} />
      <p class="note" id="crop-hint">
        {ta().crop.hint}
      </p>
      <label class="field">
        <span>{ta().crop.zoom}</span>
        <input
          class="crop-zoom"
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={zoom}
          aria-valuetext={`${Math.round(zoom * 100)}%`}
          onInput={({ currentTarget }) => {
            setCenter(centerOf(region))
            setZoom(currentTarget.valueAsNumber)
          }}
        />
      </label>
    </FormDialog>
  )
}

const MAX_ZOOM = 5

function centerOf({ x, y, width, height }: Region): Point {
  return { x: x + width / 2, y: y + height / 2 }
}

function regionOf({ width, height }: ImageBitmap, frame: CropFrame, zoom: number, center: Point): Region {
  const side = Math.min(width, height)
  const [wide, high] = [(frame === 'own' ? width : side) / zoom, (frame === 'own' ? height : side) / zoom]
  return {
    x: Math.max(0, Math.min(center.x - wide / 2, width - wide)),
    y: Math.max(0, Math.min(center.y - high / 2, height - high)),
    width: wide,
    height: high,
  }
}

interface StageProps {
  readonly picture: ImageBitmap
  readonly region: Region
  readonly onMove: (center: Point) => void
}

/** Pixels of the longer side of the frame, and of the dimmed border around it. */
const [FRAME_PIXELS, BORDER_PIXELS] = [480, 60]

interface Drag extends Point {
  readonly center: Point
  hasMoved: boolean
}

/** Fraction of the frame by which arrow keys move the picture. */
const KEYBOARD_MOVE_FRACTION = 1 / 20
/** A pointer that moves less than this is a click. */
const CLICK_TOLERANCE_PIXELS = 4

const ARROW_DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number] | undefined>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

function Stage({ picture, region, onMove }: StageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drag = useRef<Drag | undefined>(undefined)
  const scale = FRAME_PIXELS / Math.max(region.width, region.height)
  const width = Math.round(region.width * scale) + 2 * BORDER_PIXELS
  const height = Math.round(region.height * scale) + 2 * BORDER_PIXELS
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context !== undefined && context !== null) drawCrop(context, picture, region, scale)
  })
  const moveBy = ({ x, y }: Point, dx: number, dy: number): void => onMove({ x: x + dx, y: y + dy })
  /** Picture pixels per screen pixel. */
  const ratio = (): number => width / scale / (canvas.current?.clientWidth ?? 1)
  return (
    <canvas
      ref={canvas}
      class="crop-stage"
      width={width}
      height={height}
      tabIndex={0}
      role="application"
      aria-label={ta().crop.picture}
      aria-describedby="crop-hint"
      onKeyDown={(event) => {
        const arrow = ARROW_DIRECTIONS[event.key]
        if (event.key === 'Enter') event.currentTarget.closest('form')?.requestSubmit()
        else if (arrow !== undefined)
          moveBy(
            centerOf(region),
            arrow[0] * region.width * KEYBOARD_MOVE_FRACTION,
            arrow[1] * region.height * KEYBOARD_MOVE_FRACTION,
          )
        else return
        event.preventDefault()
      }}
      onPointerDown={({ currentTarget, pointerId, clientX: x, clientY: y }) => {
        currentTarget.setPointerCapture(pointerId)
        drag.current = { x, y, center: centerOf(region), hasMoved: false }
      }}
      onPointerMove={({ currentTarget, pointerId, clientX, clientY }) => {
        const { current: from } = drag
        if (from === undefined || !currentTarget.hasPointerCapture(pointerId)) return
        const [dx, dy] = [from.x - clientX, from.y - clientY]
        from.hasMoved ||= Math.hypot(dx, dy) > CLICK_TOLERANCE_PIXELS
        if (from.hasMoved) moveBy(from.center, dx * ratio(), dy * ratio())
      }}
      onClick={({ currentTarget: { clientWidth, clientHeight }, offsetX, offsetY }) => {
        if (drag.current?.hasMoved === true) return
        moveBy(centerOf(region), (offsetX - clientWidth / 2) * ratio(), (offsetY - clientHeight / 2) * ratio())
      }}
    />
  )
}

function drawCrop(context: CanvasRenderingContext2D, picture: ImageBitmap, region: Region, scale: number): void {
  const { width, height } = context.canvas
  const frame = [BORDER_PIXELS, BORDER_PIXELS, width - 2 * BORDER_PIXELS, height - 2 * BORDER_PIXELS] as const
  context.clearRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  const [x, y] = [BORDER_PIXELS - region.x * scale, BORDER_PIXELS - region.y * scale]
  context.drawImage(picture, x, y, picture.width * scale, picture.height * scale)
  context.beginPath()
  context.rect(0, 0, width, height)
  context.rect(...frame)
  context.fillStyle = 'rgb(0 0 0 / 55%)'
  context.fill('evenodd')
  // One of the two lines contrasts with any picture.
  for (const [color, lineWidth] of [
    ['black', 6],
    ['white', 3],
  ] as const) {
    context.strokeStyle = color
    context.lineWidth = lineWidth
    context.strokeRect(...frame)
  }
}

/** Limits the uploaded picture, which the server scales down further. */
const MAX_SIDE_PIXELS = 1_000
const JPEG_QUALITY = 0.92

async function cropPicture(file: File, picture: ImageBitmap, { x, y, width, height }: Region): Promise<File> {
  const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser draws no pictures')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
  // Uses PNG for all formats that can be transparent.
  const [type, ending] = file.type === 'image/jpeg' ? ['image/jpeg', 'jpg'] : ['image/png', 'png']
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, JPEG_QUALITY)
  })
  if (blob === null) throw new Error('the browser made no picture')
  return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.${ending}`, { type })
}
