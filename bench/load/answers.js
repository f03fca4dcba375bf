/** @param {import('node:net').Socket} socket @param {(status: number, body: string) => void} answered */
export function listenForResponses(socket, answered) {
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    received += String(chunk)
    for (;;) {
      const body = received.indexOf('\r\n\r\n') + 4
      if (body === 3) return
      const length = Number(/content-length: (\d+)/i.exec(received.slice(0, body))?.[1])
      if (received.length < body + length) return
      const whole = received.slice(body, body + length)
      const status = Number(received.slice(9, 12))
      received = received.slice(body + length)
      answered(status, whole)
    }
  })
}
