"""Ogg Opus read back: what the tests check whole streams with, and the length of one packet (RFC 6716, RFC 7845)."""

import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class OggOpus:
    """A complete stream: its Opus packets, the samples (48 kHz) to skip at the start, the granule of the last page."""

    packets: list[bytes]
    pre_skip: int
    last_granule: int
    serial: int

    @property
    def duration_sec(self) -> float:
        """Seconds that are heard."""
        return (self.last_granule - self.pre_skip) / 48_000


def packet_ms(packet: bytes) -> float:
    """Tell how many milliseconds a packet holds, from its first byte (RFC 6716, section 3.1)."""
    config, frames_code = packet[0] >> 3, packet[0] & 3
    if config < 12:
        frame = (10.0, 20.0, 40.0, 60.0)[config % 4]
    elif config < 16:
        frame = (10.0, 20.0)[config % 2]
    else:
        frame = (2.5, 5.0, 10.0, 20.0)[config % 4]
    return frame * (1 if frames_code == 0 else 2 if frames_code < 3 else packet[1] & 0x3F)


def parse_ogg_opus(data: bytes) -> OggOpus:
    """Read one complete logical stream; raises ValueError for whatever is not exactly that."""
    packets: list[bytes] = []
    part, offset, sequence, serial, flags, granule, last_granule = b"", 0, 0, None, 0, 0, 0
    while offset < len(data):
        if len(data) - offset < 27 or data[offset : offset + 5] != b"OggS\0":
            raise ValueError("not an Ogg page")
        flags, granule, page_serial, page_sequence, crc, count = struct.unpack_from("<BqIIIB", data, offset + 5)
        lacing = data[offset + 27 : offset + 27 + count]
        start, size = offset + 27 + count, sum(lacing)
        page = data[offset : start + size]
        if len(lacing) != count or len(page) != 27 + count + size:
            raise ValueError("cut page")
        if _crc(page[:22] + b"\0\0\0\0" + page[26:]) != crc:
            raise ValueError("bad checksum")
        serial = page_serial if serial is None else serial
        first, continued = bool(flags & 2), bool(flags & 1)
        if page_serial != serial or page_sequence != sequence or first != (sequence == 0) or continued != bool(part):
            raise ValueError("pages out of order")
        for lace in lacing:
            part += data[start : start + lace]
            start += lace
            if lace < 255:
                packets.append(part)
                part = b""
        if granule >= 0:
            if granule < last_granule:
                raise ValueError("granule goes back")
            last_granule = granule
        offset, sequence = start, sequence + 1
        if flags & 4:
            break
    if not flags & 4 or offset != len(data) or part or serial is None:
        raise ValueError("no proper end of stream")
    if len(packets) < 3 or packets[0][:8] != b"OpusHead" or packets[1][:8] != b"OpusTags":
        raise ValueError("not Opus")
    return OggOpus(packets[2:], struct.unpack_from("<H", packets[0], 10)[0], last_granule, serial)


def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        crc = value << 24
        for _ in range(8):
            crc = (crc << 1) ^ (0x04C11DB7 if crc & 0x80000000 else 0)
        table.append(crc & 0xFFFFFFFF)
    return table


_TABLE = _crc_table()


def _crc(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc = ((crc << 8) & 0xFFFFFFFF) ^ _TABLE[(crc >> 24) ^ byte]
    return crc
