# Writes .npz files for npz.case: whole ones, and such as lie about what they hold.
import struct
import zipfile


def array(count, data=None):
    text = "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % count
    head = text.ljust(117) + "\n"
    data = struct.pack("<%di" % count, *range(count)) if data is None else data
    return b"\x93NUMPY\x01\x00\x76\x00" + head.encode() + data


def write(name, members, packed=True):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for member, data in members:
            with archive.open(member, "w", force_zip64=True) as file:
                file.write(data)


def change(name, other, at, value):
    """Changes bytes of the directory's entry of the last member."""
    data = bytearray(open(name, "rb").read())
    place = data.rindex(b"PK\x01\x02") + at
    data[place : place + len(value)] = value
    open(other, "wb").write(data)


write("two.npz", [("a.npy", array(5)), ("b.npy", array(100000))])
write("stored.npz", [("a.npy", array(5)), ("b.npy", array(6))], packed=False)
write("empty.npz", [("a.npy", b"")])
write("none.npz", [("a.npy", array(0))])
write("claim.npz", [("a.npy", array(1 << 40, b"12345678"))])
write("more.npz", [("a.npy", array(2, bytes(1 << 20)))])
write("text.npz", [("a.npy", b"1 2 3")])
change("two.npz", "checksum.npz", 16, b"\0\0\0\0")
change("two.npz", "method.npz", 10, b"\x0e\0")
change("two.npz", "encrypted.npz", 8, b"\1\0")
change("two.npz", "size.npz", 24, b"\x10\0\0\0")
change("two.npz", "huge.npz", 24, b"\xfe\xff\xff\xff")
change("two.npz", "beyond.npz", 20, b"\xfe\xff\xff\xff")
change("two.npz", "place.npz", 42, b"\xfe\xff\xff\xff")
whole = open("two.npz", "rb").read()
open("cut.npz", "wb").write(whole[:2000])
end = whole.rindex(b"PK\x05\x06")
offset = struct.unpack("<I", whole[end + 16 : end + 20])[0]
# The directory of an archive of 4 GiB and more: 4.3.14, 4.3.15 of APPNOTE.TXT.
record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 2, 2, end - offset, offset)
locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end, 1)
open("large.npz", "wb").write(whole[:end] + record + locator + whole[end : end + 16] + b"\xff\xff\xff\xff\0\0")
locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, 1 << 60, 1)
open("lost.npz", "wb").write(whole[:end] + record + locator + whole[end : end + 16] + b"\xff\xff\xff\xff\0\0")
