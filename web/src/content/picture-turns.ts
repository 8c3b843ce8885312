/** At once in a window: other requests find a line to the server, and the server makes two at once for an account. */
const MOST_AT_ONCE = 4;
/** A busy server is asked once more after this. */
const AGAIN_MS = 2_000;

type Turn = { image: HTMLImageElement; begin: () => void };

const waiting = new Set<Turn>();
const running = new Set<Turn>();

/**
 * Loads a picture into an element in its turn: those that are seen come first. Once the function given back is called,
 * it is loaded no more.
 */
export function loadInTurn(image: HTMLImageElement, source: string, onFailed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSecond = false;
  const turn: Turn = {
    image,
    begin: () => {
      image.src = source;
    },
  };
  image.onload = () => end(turn);
  image.onerror = () => {
    end(turn);
    if (isSecond) onFailed();
    else timer = setTimeout(() => wait(turn), AGAIN_MS);
    isSecond = true;
  };
  wait(turn);
  return () => {
    clearTimeout(timer);
    image.onload = image.onerror = null;
    // This ends the request, which an element that is only taken away does not.
    image.removeAttribute("src");
    end(turn);
  };
}

function wait(turn: Turn): void {
  waiting.add(turn);
  // Those that are shown at the same time are there by then.
  queueMicrotask(beginMore);
}

function end(turn: Turn): void {
  waiting.delete(turn);
  running.delete(turn);
  beginMore();
}

function beginMore(): void {
  while (running.size < MOST_AT_ONCE && waiting.size > 0) {
    const turns = [...waiting];
    const next = turns.find(({ image }) => isSeen(image)) ?? turns[0];
    if (!next) return;
    waiting.delete(next);
    running.add(next);
    next.begin();
  }
}

function isSeen(image: HTMLImageElement): boolean {
  const { top, bottom } = image.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
